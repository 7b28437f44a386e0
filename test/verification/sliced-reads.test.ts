import type { StoredAccount } from '@sluice/localnet/chain';
import { reserve } from '@sluice/protocol/klend/reserve';
import { vaultState } from '@sluice/protocol/kvault/vault-state';
import type { AccountLayout } from '@sluice/protocol/layout/account';
import { plainStruct } from '@sluice/protocol/layout/plain';
import type { Fields } from '@sluice/protocol/layout/struct';
import { MAINNET_PROGRAMS, SYSTEM_PROGRAM } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { accountIn, TestChain, withFields } from '../../packages/localnet/test/support/chain/test-world.ts';
import type { Kind } from '../../src/chain/view/kinds.ts';
import { WHOLE_FACTOR } from '../../src/chain/view/read-schedule.ts';
import type { View } from '../../src/chain/view/view.ts';
import { withoutLateCounters } from '../support/localnet/late-counters.ts';
import {
  type ChainKeeper,
  keeperOverChain,
  VAULT_REFRESH_MS,
  VIEW_REFRESH_MS,
} from '../support/rpc/chain-keeper.ts';
import { ABSENT, haveRealAccounts, realAccounts } from '../support/vectors/shared-fixtures.ts';

const { klend, kvault } = MAINNET_PROGRAMS;
const SOL = 'd4A2prbA2whesmvHaL88BH6Ewn5N4bTSU2Ze8P6Bc4Q' as Address;
const USDC = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59' as Address;
const SLOTS_PER_REFRESH = 5;

/** Where the layout of the program has its fields, in bytes. */
const AT = {
  lastUpdateSlot: 16,
  stale: 24,
  available: 224,
  borrowedSf: 232,
  marketPriceSf: 248,
  cumulativeRate: 296,
  protocolFeesSf: 344,
  collateralSupply: 2_592,
  emergencyMode: 4_864,
  rateBasis: 4_865,
  loanToValuePct: 4_872,
  depositCapTotal: 5_424,
  borrowedOutsideGroups: 6_704,
  queuedCollateral: 6_968,
};

/** An account with some integers changed. */
function edited(account: StoredAccount, edit: (data: Buffer) => void): StoredAccount {
  const data = Buffer.from(account.data);
  edit(data);
  return { ...account, data };
}

const u128 = (data: Buffer, at: number) => data.readBigUInt64LE(at) | (data.readBigUInt64LE(at + 8) << 64n);
function setU128(data: Buffer, at: number, value: bigint): void {
  data.writeBigUInt64LE(value & 0xffff_ffff_ffff_ffffn, at);
  data.writeBigUInt64LE(value >> 64n, at + 8);
}
const add = (data: Buffer, at: number, amount: bigint) =>
  void data.writeBigUInt64LE(data.readBigUInt64LE(at) + amount, at);

/** Interest for five slots at 10 % a year, and a new price. */
function refresh(data: Buffer): void {
  const factor = (at: number) => setU128(data, at, (u128(data, at) * 1_000_000_008n) / 1_000_000_000n);
  add(data, AT.lastUpdateSlot, 5n);
  data[AT.stale] = 0;
  for (const at of [AT.borrowedSf, AT.cumulativeRate, AT.protocolFeesSf]) factor(at);
  setU128(data, AT.marketPriceSf, (u128(data, AT.marketPriceSf) * 1_001n) / 1_000n);
}

function deposit(data: Buffer): void {
  add(data, AT.available, 1_000n);
  add(data, AT.collateralSupply, 900n);
  add(data, AT.depositCapTotal, 1_000n);
  data[AT.stale] = 1;
}

function borrow(data: Buffer): void {
  add(data, AT.available, -1_000n);
  setU128(data, AT.borrowedSf, u128(data, AT.borrowedSf) + (1_000n << 60n));
  add(data, AT.borrowedOutsideGroups, 1_000n);
  data[AT.stale] = 1;
}

function enqueue(data: Buffer): void {
  add(data, AT.queuedCollateral, 700n);
  data[AT.stale] = 1;
}

function configure(data: Buffer): void {
  data[AT.loanToValuePct] = 41;
}

const localChain = new TestChain();

beforeEach(() => {
  localChain.restore();
});

const inView = (view: View, kind: Kind, address: Address) =>
  plainStruct(view.get(kind, address)?.value ?? {});

function decoded<F extends Fields>(layout: AccountLayout<F>, address: Address, program: Address) {
  return plainStruct(layout.decode(accountIn(localChain, address), program));
}

function change(address: Address, ...edits: readonly ((data: Buffer) => void)[]): void {
  const account = edits.reduce(edited, accountIn(localChain, address));
  localChain.place(address, account);
  localChain.advance();
}

describe.skipIf(!haveRealAccounts)(`real reserves${ABSENT}`, () => {
  let reader: ChainKeeper;

  beforeEach(async () => {
    for (const [address, { owner, data, lamports }] of realAccounts())
      if (address === SOL || address === USDC)
        localChain.place(address, { owner, data, lamports, executable: false });
    localChain.advance();
    reader = await keeperOverChain(localChain);
  });

  describe.each([
    ['SOL', SOL],
    ['USDC', USDC],
  ])('%s', (_, address) => {
    const timesRead = () => reader.requests.requestsFor(address);

    it('that was refreshed is read by its head and its settings, and decodes as when it is read whole', async () => {
      change(address, refresh);
      const view = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(timesRead()).toBe(2);
      expect(inView(view, 'reserve', address)).toEqual(decoded(reserve, address, klend));
      expect(view.get('reserve', address)?.data).toEqual(new Uint8Array(accountIn(localChain, address).data));
    });

    it.each([
      ['a deposit', [refresh, deposit]],
      ['a deposit and a refresh', [refresh, deposit, refresh]],
      ['a deposit and a loan of the same amount', [refresh, deposit, borrow, refresh]],
      ['a withdrawal that waits', [refresh, enqueue]],
      ['a configuration, which marks it as stale', [refresh, configure, (data) => data.fill(1, 24, 25)]],
    ] satisfies [string, ((data: Buffer) => void)[]][])('is read whole after %s', async (_, edits) => {
      change(address, ...edits);
      const view = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(timesRead()).toBe(2);
      expect(inView(view, 'reserve', address)).toEqual(decoded(reserve, address, klend));
    });

    it.each([
      ['its interest basis', AT.rateBasis, 1, 'interestRateBasis'],
      ['its emergency mode', AT.emergencyMode, 1, 'emergencyMode'],
      ['its loan-to-value', AT.loanToValuePct, 41, 'loanToValuePct'],
    ] as const)('shows %s after the refresh that hid its change', async (_, at, to, field) => {
      const flip = (data: Buffer) => {
        // The fixtures are of a time before the change, or after it.
        data[at] = data[at] === to ? 0 : to;
      };
      const before = accountIn(localChain, address).data[at];
      change(address, refresh, flip, (data) => void data.fill(1, AT.stale, AT.stale + 1), refresh);
      const view = await reader.refreshAfter(VIEW_REFRESH_MS);
      // Head, settings, whole.
      expect(timesRead()).toBe(3);
      expect(view.get('reserve', address)?.value.config[field]).toBe(before === to ? 0 : to);
      expect(inView(view, 'reserve', address)).toEqual(decoded(reserve, address, klend));
    });

    it('is an error after the refresh that hid an interest basis that no release knows', async () => {
      change(address, refresh, (data) => void data.fill(2, AT.rateBasis, AT.rateBasis + 1));
      const view = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(view.find('reserve', address)).toMatchObject({ code: 'ACCOUNT_MALFORMED' });
    });

    it('shows a configuration that left no trace in its head when vaults are read', async () => {
      change(address, configure);
      const before = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(before.get('reserve', address)?.value.config.loanToValuePct).not.toBe(41);
      const after = await reader.refreshAfter(VAULT_REFRESH_MS);
      // Head, settings, whole.
      expect(timesRead()).toBe(3);
      expect(after.get('reserve', address)?.value.config.loanToValuePct).toBe(41);
      expect(inView(after, 'reserve', address)).toEqual(decoded(reserve, address, klend));
    });

    it('shows such a configuration at once when everything is requested', async () => {
      change(address, configure);
      reader.keeper.refreshAllNow();
      const view = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(view.get('reserve', address)?.value.config.loanToValuePct).toBe(41);
      expect(view.moment.slotWhole).toBe(localChain.slot);
    });

    it('is read whole when it grows, and is an error when its owner changes or it is gone', async () => {
      const account = accountIn(localChain, address);
      localChain.place(address, { ...account, data: Buffer.concat([account.data, Buffer.alloc(8)]) });
      localChain.advance();
      const grown = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(timesRead()).toBe(2);
      expect(grown.get('reserve', address)?.data.length).toBe(account.data.length + 8);
      localChain.place(address, { ...account, owner: SYSTEM_PROGRAM });
      localChain.advance();
      const stolen = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(stolen.find('reserve', address)).toMatchObject({ code: 'ACCOUNT_WRONG_OWNER' });
      localChain.place(address, null);
      localChain.advance();
      const gone = await reader.refreshAfter(VIEW_REFRESH_MS);
      expect(gone.find('reserve', address)).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    });
  });
});

describe('the generated world', () => {
  it('has the same reserves in every View as on chain, and vaults after their interval', async () => {
    const { refreshAfter } = await keeperOverChain(localChain);
    for (let i = 1; i <= 40; i += 1) {
      localChain.advance(SLOTS_PER_REFRESH);
      const view = await refreshAfter(VIEW_REFRESH_MS);
      const isVaultRefresh = (i * VIEW_REFRESH_MS) % VAULT_REFRESH_MS === 0;
      for (const kind of isVaultRefresh ? (['reserve', 'vault', 'farm'] as const) : (['reserve'] as const)) {
        const differing = [...view.all(kind)].filter(
          ([address, { data }]) =>
            Buffer.compare(
              withoutLateCounters(kind, data),
              withoutLateCounters(kind, accountIn(localChain, address).data),
            ) !== 0,
        );
        expect(differing.map(([address]) => address)).toEqual([]);
      }
    }
  });

  it('has a vault whose head did not change read by its head and its settings, and any other whole', async () => {
    const { refreshAfter, requests } = await keeperOverChain(localChain);
    const [quiet, busy] = [...localChain.programAccounts(kvault)]
      .filter(([, { data }]) => data.length === vaultState.size)
      .map(([address]) => address);
    if (quiet === undefined || busy === undefined) throw new Error('the world has no vaults');
    const account = accountIn(localChain, busy);
    localChain.place(
      busy,
      withFields(vaultState, account, { tokenAvailable: 12_345n, minDepositAmount: 678n }),
    );
    const view = await refreshAfter(VAULT_REFRESH_MS);
    expect([requests.requestsFor(quiet), requests.requestsFor(busy)]).toEqual([2, 2]);
    expect(inView(view, 'vault', busy)).toEqual(decoded(vaultState, busy, kvault));
  });

  it('has a vault whose settings changed without a trace in its head read whole', async () => {
    const { refreshAfter, requests } = await keeperOverChain(localChain);
    const { vault } = localChain.addresses;
    localChain.place(vault, withFields(vaultState, accountIn(localChain, vault), { depositCap: 678n }));
    const view = await refreshAfter(VAULT_REFRESH_MS);
    expect(requests.requestsFor(vault)).toBe(3);
    expect(inView(view, 'vault', vault)).toEqual(decoded(vaultState, vault, kvault));
    await refreshAfter(VAULT_REFRESH_MS);
    expect(requests.requestsFor(vault)).toBe(2);
  });

  it('needs at most a quarter of the bytes that whole accounts need', async () => {
    const { refreshAfter, requests, keeper } = await keeperOverChain(localChain);
    const bytesOf = async (refreshes: number, each: (i: number) => void) => {
      let bytes = 0;
      for (let i = 1; i <= refreshes; i += 1) {
        localChain.advance(SLOTS_PER_REFRESH);
        each(i);
        await refreshAfter(VIEW_REFRESH_MS);
        bytes += requests.bytesSent;
      }
      return bytes;
    };
    const rounds = (VAULT_REFRESH_MS / VIEW_REFRESH_MS) * WHOLE_FACTOR;
    const sliced = await bytesOf(rounds, () => undefined);
    keeper.refreshAllNow();
    await refreshAfter(0);
    const whole = requests.bytesSent;
    const reserves = [...localChain.programAccounts(klend)].filter(
      ([, { data }]) => data.length === reserve.size,
    );
    // Size of a node's answer for a whole reserve: base64, and about 160 bytes around it.
    const reserveBytes = reserves.length * (Math.ceil(reserve.size / 3) * 4 + 160);
    const vaultRounds = WHOLE_FACTOR;
    const before = (rounds - vaultRounds) * reserveBytes + vaultRounds * whole;
    expect(sliced / before).toBeLessThan(0.25);
  });
});
