import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ChainAccount } from '../../src/chain/accounts/account-page.ts';
import { SluiceError } from '../../src/errors/sluice-error.ts';
import type { ObligationIndexSource } from '../../src/services/obligation-index/index-update.ts';
import {
  ObligationIndexes,
  type ObligationIndexesOptions,
} from '../../src/services/obligation-index/obligation-indexes.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';

const { klend } = MAINNET_PROGRAMS;
const [MARKET, OWNER, SOL, USDC] = [1, 2, 3, 4].map(addressNumber) as [Address, Address, Address, Address];
const { signal } = new AbortController();
const MARK_AT = obligation.offsetOf('lastUpdate');

/** Loans in memory, and what was asked for. */
class FakeLoans implements ObligationIndexSource {
  readonly accounts = new Map<Address, Uint8Array>();
  slot = 100n;
  looks = 0;
  wholeScans = 0;
  readonly read: Address[] = [];
  failure: Error | null = null;
  /** Awaited before each answer. */
  gate: Promise<void> = Promise.resolve();

  set(number: number, collateral: bigint, debtSf: bigint, updatedAt: bigint): Address {
    const address = addressNumber(1_000 + number);
    const data = obligation.encode({
      lastUpdate: { slot: updatedAt, stale: 1 },
      lendingMarket: MARKET,
      owner: OWNER,
      deposits: [{ depositReserve: SOL, depositedAmount: collateral }],
      borrows: [
        {
          borrowReserve: USDC,
          borrowedAmountSf: debtSf,
          lastBorrowedAtTimestamp: 1_780_000_000n,
          borrowedAmountAtExpiration: 9n,
        },
      ],
      hasDebt: 1,
    });
    this.accounts.set(address, data);
    return address;
  }

  async marks() {
    this.looks += 1;
    await this.gate;
    if (this.failure !== null) throw this.failure;
    const found = [...this.accounts].map(([address, data]) => ({
      address,
      mark: data.slice(MARK_AT, MARK_AT + 16),
    }));
    return { found, slot: this.slot };
  }

  async whole() {
    this.wholeScans += 1;
    return { found: [...this.accounts.keys()].flatMap((address) => this.#account(address)), slot: this.slot };
  }

  async some(addresses: readonly Address[]) {
    this.read.push(...addresses);
    return { found: addresses.flatMap((address) => this.#account(address)), slot: this.slot };
  }

  #account(address: Address): ChainAccount[] {
    const data = this.accounts.get(address);
    return data === undefined ? [] : [{ address, owner: klend, lamports: 1n, data, slot: this.slot }];
  }
}

let loans: FakeLoans;
let nowMs: number;
beforeEach(() => {
  loans = new FakeLoans();
  nowMs = 1_000_000;
});

const indexes = (options: ObligationIndexesOptions = {}) =>
  new ObligationIndexes(klend, loans, { refreshMs: 5_000, maxWaitMs: 60_000, now: () => nowMs, ...options });

type Snapshot = Awaited<ReturnType<ReturnType<ObligationIndexes['of']>['current']>>;

/** Collateral by address. */
function contents({ table }: Snapshot): Map<Address, bigint | undefined> {
  const all = new Map<Address, bigint | undefined>();
  for (let i = 0; i < table.size; i += 1) {
    all.set(table.address(i), table.loan(i).deposits[0]?.collateral);
  }
  return all;
}

describe('the loan index', () => {
  it('holds the positions of every loan', async () => {
    const address = loans.set(0, 7n, 5n << 100n, 50n);
    const { table, reserves, slot, indexedAt } = await indexes().of(MARKET).current(signal);
    expect([table.size, table.address(0), table.owner(0), slot]).toEqual([1, address, OWNER, 100n]);
    expect(reserves.addresses).toEqual([SOL, USDC]);
    expect(table.loan(0)).toEqual({
      elevationGroup: 0,
      deposits: [{ reserve: 0, collateral: 7n }],
      debts: [
        {
          reserve: 1,
          amountSf: 5n << 100n,
          rateSf: 0n,
          lastBorrowedAtTimestamp: 1_780_000_000n,
          borrowedAmountAtExpiration: 9n,
        },
      ],
    });
    expect(indexedAt).toEqual(new Date(nowMs));
  });

  it('reads again only what is new or changed, and drops what is gone', async () => {
    const index = indexes().of(MARKET);
    const [kept, changed, closed] = [0, 1, 2].map((i) => loans.set(i, 10n, 1n, 50n)) as [
      Address,
      Address,
      Address,
    ];
    await index.current(signal);
    loans.read.length = 0;
    loans.slot = 120n;
    nowMs += 5_000;
    loans.set(1, 20n, 1n, 110n);
    loans.accounts.delete(closed);
    const opened = loans.set(3, 30n, 1n, 111n);
    const later = await index.current(signal);
    expect(contents(later)).toEqual(
      new Map([
        [kept, 10n],
        [changed, 20n],
        [opened, 30n],
      ]),
    );
    expect(new Set(loans.read)).toEqual(new Set([changed, opened]));
    expect(later.slot).toBe(120n);
  });

  it('keeps the same table while nothing changes', async () => {
    const index = indexes().of(MARKET);
    loans.set(0, 10n, 1n, 50n);
    const { table } = await index.current(signal);
    nowMs += 5_000;
    const later = await index.current(signal);
    expect(later.table).toBe(table);
    expect(later.indexedAt).toEqual(new Date(nowMs));
  });

  it('reads a loan again that may have changed twice in the slot in which it was read', async () => {
    const index = indexes().of(MARKET);
    const address = loans.set(0, 10n, 1n, 100n);
    await index.current(signal);
    loans.set(0, 20n, 1n, 100n);
    loans.slot = 101n;
    nowMs += 5_000;
    expect(contents(await index.current(signal)).get(address)).toBe(20n);
  });

  it('takes one scan where many loans changed', async () => {
    for (let i = 0; i < 1_000; i += 1) loans.set(i, 10n, 1n, 50n);
    const { table } = await indexes().of(MARKET).current(signal);
    expect([table.size, loans.wholeScans, loans.read.length]).toEqual([1_000, 1, 0]);
    // Address, owner, mark and positions; a place in the list and in the hash table.
    expect(table.memoryBytes / table.size).toBeLessThan(160);
  });

  it('finds every loan by its address', async () => {
    const addresses = Array.from({ length: 700 }, (_, i) => loans.set(i, BigInt(i), 1n, 50n));
    const { table } = await indexes().of(MARKET).current(signal);
    for (const [i, address] of addresses.entries()) {
      const number = table.find(address);
      expect(number === undefined ? null : table.loan(number).deposits[0]?.collateral).toBe(BigInt(i));
    }
    expect(table.find(addressNumber(5))).toBeUndefined();
  });

  it('is not asked for more often than the setting allows, nor twice at once', async () => {
    loans.set(0, 10n, 1n, 50n);
    const index = indexes().of(MARKET);
    await Promise.all([index.current(signal), index.current(signal), index.current(signal)]);
    expect(loans.looks).toBe(1);
    nowMs += 4_999;
    await index.current(signal);
    expect(loans.looks).toBe(1);
    nowMs += 1;
    await Promise.all([index.current(signal), index.current(signal)]);
    expect(loans.looks).toBe(2);
  });

  it('tells each call the RPC requests that it waited for', async () => {
    for (let i = 0; i < 99; i += 1) loans.set(i, 10n, 1n, 50n);
    const index = indexes().of(MARKET);
    const waited = async () => {
      let requests = 0;
      await index.current(signal, (made) => {
        requests += made;
      });
      return requests;
    };
    // The scan of the marks and two pages of loans, whoever asked first.
    expect(await Promise.all([waited(), waited()])).toEqual([3, 3]);
    expect(await waited()).toBe(0);
    nowMs += 5_000;
    expect(await waited()).toBe(1);
    for (let i = 0; i < 1_000; i += 1) loans.set(i, 20n, 1n, 110n);
    loans.failure = new SluiceError('RPC_UNAVAILABLE', { method: 'getProgramAccounts', attempts: 4 });
    nowMs += 5_000;
    expect(await waited()).toBe(1);
    loans.failure = null;
    nowMs += 5_000;
    expect(await waited()).toBe(2);
  });

  it('keeps its old state, and tells its age, while the RPC fails', async () => {
    const address = loans.set(0, 10n, 1n, 50n);
    const index = indexes().of(MARKET);
    const first = await index.current(signal);
    loans.failure = new SluiceError('RPC_UNAVAILABLE', { method: 'getProgramAccounts', attempts: 4 });
    loans.set(0, 20n, 1n, 90n);
    nowMs += 5_000;
    const later = await index.current(signal);
    expect([later.indexedAt, later.slot]).toEqual([first.indexedAt, first.slot]);
    expect(contents(later).get(address)).toBe(10n);
    loans.failure = null;
    nowMs += 5_000;
    expect(contents(await index.current(signal)).get(address)).toBe(20n);
  });

  it('fails with the error of the RPC while it has never been read', async () => {
    const refusal = { method: 'getProgramAccounts', rpcCode: -32_010, rpcMessage: 'excluded' };
    loans.failure = new SluiceError('RPC_REFUSED', refusal);
    const index = indexes().of(MARKET);
    await expect(index.current(signal)).rejects.toMatchObject({ code: 'RPC_REFUSED' });
    await expect(index.current(signal)).rejects.toMatchObject({ code: 'RPC_REFUSED' });
    expect(loans.looks).toBe(1);
    loans.failure = null;
    nowMs += 5_000;
    expect((await index.current(signal)).table.size).toBe(0);
  });

  it('answers with an older state rather than keep a request waiting', async () => {
    loans.set(0, 10n, 1n, 50n);
    const index = indexes({ maxWaitMs: 1 }).of(MARKET);
    const first = await index.current(signal);
    let open = () => {};
    loans.gate = new Promise((resolve) => {
      open = resolve;
    });
    nowMs += 5_000;
    expect((await index.current(signal)).table).toBe(first.table);
    open();
  });

  it('lets a request give up without ending the look for others', async () => {
    loans.set(0, 10n, 1n, 50n);
    const index = indexes().of(MARKET);
    let open = () => {};
    loans.gate = new Promise((resolve) => {
      open = resolve;
    });
    const leaving = new AbortController();
    const left = index.current(leaving.signal);
    const stayed = index.current(signal);
    leaving.abort(new SluiceError('REQUEST_CANCELLED', { what: 'A test' }));
    await expect(left).rejects.toMatchObject({ code: 'REQUEST_CANCELLED' });
    open();
    expect((await stayed).table.size).toBe(1);
  });

  it('counts an account that it cannot decode, and goes on', async () => {
    loans.set(0, 10n, 1n, 50n);
    const broken = loans.set(1, 10n, 1n, 50n);
    loans.accounts.get(broken)?.fill(0, 0, 8);
    const { table, unreadable } = await indexes().of(MARKET).current(signal);
    expect([table.size, unreadable]).toEqual([1, 1]);
  });

  it('forgets the market that was asked about least recently', async () => {
    loans.set(0, 10n, 1n, 50n);
    const all = indexes({ markets: 2 });
    const [first, second] = [all.of(MARKET), all.of(SOL)];
    all.of(MARKET);
    all.of(USDC);
    expect(all.size).toBe(2);
    expect(all.of(MARKET)).toBe(first);
    expect(all.of(SOL)).not.toBe(second);
  });
});
