import { obligation } from '@sluice/protocol/klend/obligation';
import { addressBytes } from '@sluice/protocol/layout/base58';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChainAccount } from '../../src/chain/accounts/account-page.ts';
import { PositionTable } from '../../src/chain/positions/position-table.ts';
import { PositionSnapshot } from '../../src/chain/positions/positions.ts';
import type { View } from '../../src/chain/view/view.ts';
import type { ObligationTable } from '../../src/services/obligation-index/obligation-table.ts';
import { ResidentLoans } from '../../src/services/obligation-index/resident-loans.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';
import '../support/property-seed.ts';

const { klend } = MAINNET_PROGRAMS;
const MARKETS = [1, 2].map(addressNumber) as [Address, Address];
const RESERVES = [3, 4, 5].map(addressNumber);

interface Change {
  readonly number: number;
  readonly market: 0 | 1;
  readonly deposits: number;
  readonly debts: number;
  readonly isShort: boolean;
  readonly isClosed: boolean;
}

const change: fc.Arbitrary<Change> = fc.record({
  number: fc.integer({ min: 10, max: 30 }),
  market: fc.constantFrom(0, 1),
  deposits: fc.nat(3),
  debts: fc.nat(2),
  isShort: fc.boolean(),
  isClosed: fc.boolean(),
});

function accountOf({ number, market, deposits, debts, isShort }: Change): ChainAccount {
  const data = obligation.encode({
    lendingMarket: MARKETS[market],
    owner: addressNumber(7),
    hasDebt: debts > 0 ? 1 : 0,
    deposits: Array.from({ length: deposits }, (_, i) => ({
      depositReserve: RESERVES[i] as Address,
      depositedAmount: BigInt(number * (i + 1)),
    })),
    borrows: Array.from({ length: debts }, (_, i) => ({
      borrowReserve: RESERVES[i] as Address,
      borrowedAmountSf: BigInt(number) << 60n,
    })),
  });
  // A bad owner: its bytes still say that it has debt.
  const owner = isShort && debts > 0 ? addressNumber(99) : klend;
  return { address: addressNumber(number), owner, data, lamports: 1n, slot: 1n };
}

const viewAt = (slot: bigint): Pick<View, 'moment' | 'reservesOfMarket'> => ({
  moment: { slot, timestamp: slot } as View['moment'],
  reservesOfMarket: () => RESERVES.map((address) => ({ address })) as never,
});

const recordsOf = (table: ObligationTable) =>
  Array.from({ length: table.size }, (_, number) => Buffer.from(table.record(number)).toString('hex'));

describe('the obligations of a market in a View', () => {
  it('are those of its positions, by address, whichever View was asked about before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 8 }), { maxLength: 6 }), async (views) => {
        const table = new PositionTable(MAINNET_PROGRAMS);
        const kept = new ResidentLoans(klend, 10);
        const accounts = new Map<Address, ChainAccount>();
        const snapshots: PositionSnapshot[] = [];
        for (const [i, changes] of views.entries()) {
          for (const each of changes) {
            const account = accountOf(each);
            const { address } = account;
            const now = each.isClosed ? null : account;
            table.apply({ kind: 'obligation', address, account: now, slot: 1n });
            if (now === null) accounts.delete(address);
            else accounts.set(address, now);
          }
          const positions = new PositionSnapshot(table, BigInt(i));
          snapshots.push(positions);
          const of = await kept.of(viewAt(BigInt(i)), positions, MARKETS[0]);
          const own = [...accounts.values()].filter(({ data }) => isIn(data, MARKETS[0]));
          const readable = own
            .filter(({ owner }) => owner === klend)
            .map(({ address, data }) => {
              const value = obligation.decode({ owner: klend, data }, klend);
              return {
                address,
                deposits: value.deposits.filter(({ depositedAmount }) => depositedAmount > 0n).length,
                hasDebt: value.hasDebt === 1,
              };
            });
          const loans = readable.filter(({ hasDebt }) => hasDebt).map(({ address }) => address);
          const others = readable
            .filter(({ hasDebt, deposits }) => !hasDebt && deposits > 0)
            .map(({ address }) => address);
          expect(addressesOf(of.loans.table)).toEqual(loans.sort(byBytes));
          expect(addressesOf(of.unborrowed)).toEqual(others.sort(byBytes));
          expect(of.loans.unreadable).toBe(own.length - readable.length);
          expect(of.loans.slot).toBe(BigInt(i));
        }
        for (const [i, positions] of snapshots.entries()) {
          const view = viewAt(BigInt(i));
          const again = await kept.of(view, positions, MARKETS[0]);
          const fresh = await new ResidentLoans(klend, 10).of(view, positions, MARKETS[0]);
          expect(recordsOf(again.loans.table)).toEqual(recordsOf(fresh.loans.table));
          expect(recordsOf(again.unborrowed)).toEqual(recordsOf(fresh.unborrowed));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('keep their table while nothing in the market changes', async () => {
    const table = new PositionTable(MAINNET_PROGRAMS);
    const put = (number: number, market: 0 | 1) =>
      table.put({
        kind: 'obligation',
        account: accountOf({ number, market, deposits: 1, debts: 1, isShort: false, isClosed: false }),
      });
    put(10, 0);
    const kept = new ResidentLoans(klend, 10);
    const first = await kept.of(viewAt(1n), new PositionSnapshot(table, 1n), MARKETS[0]);
    put(11, 1);
    const second = await kept.of(viewAt(2n), new PositionSnapshot(table, 2n), MARKETS[0]);
    expect(second.loans.table).toBe(first.loans.table);
    expect([first.loans.slot, second.loans.slot]).toEqual([1n, 2n]);
  });
});

const addressesOf = (table: ObligationTable) =>
  Array.from({ length: table.size }, (_, number) => table.address(number));

const isIn = (data: Uint8Array, market: Address) =>
  Buffer.compare(
    data.subarray(obligation.offsetOf('lendingMarket'), obligation.offsetOf('lendingMarket') + 32),
    addressBytes(market),
  ) === 0;

const byBytes = (a: Address, b: Address) => Buffer.compare(addressBytes(a), addressBytes(b));
