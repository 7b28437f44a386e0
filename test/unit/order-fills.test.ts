import { obligation } from '@sluice/protocol/klend/obligation';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { named } from '../../packages/protocol/test/support/transaction-maker.ts';
import { orderFills } from '../../src/services/history/obligations/order-fills.ts';
import type { ObligationTimeline } from '../../src/services/history/obligations/timeline.ts';
import type { LendingTransaction } from '../../src/services/history/obligations/transactions.ts';

const { klend } = MAINNET_PROGRAMS;
const [MINT, OTHER_MINT] = [named('mint'), named('other mint')];
const MINTS = new Map<Address, Address>([
  [named('reserve'), MINT],
  [named('other reserve'), OTHER_MINT],
]);

/** A View that knows the mints of two reserves and nothing else. */
const session = {
  view: {
    get: (_kind: string, address: Address) => ({ value: { liquidity: { mintPubkey: MINTS.get(address) } } }),
  },
} as unknown as Parameters<typeof orderFills>[0];

/** A fill one second after the one before. `left`: of the order that was placed then; null when no event tells. */
function fill(time: number, order: { placedAt: bigint; left: bigint } | null, changes: object = {}) {
  return {
    kind: 'borrow',
    instruction: 'fillBorrowOrderV2',
    reserve: named('reserve'),
    signature: `at ${time}`,
    time,
    ...(order === null ? {} : { order }),
    ...changes,
  } as unknown as LendingTransaction;
}

function fillsOf(events: readonly LendingTransaction[], placedAt: bigint | null) {
  const order = { debtLiquidityMint: MINT, placedAtTimestamp: placedAt ?? 0n, remainingDebtAmount: 1n };
  const data = obligation.encode(placedAt === null ? {} : { headBorrowOrder: order });
  const address = named('obligation');
  const value = obligation.decode({ owner: klend, data }, klend);
  const record = { address, value } as unknown as NonNullable<ObligationTimeline['record']>;
  const found = orderFills(session, { address, record, events, complete: true });
  return found.map(({ transaction, isFull }) => [transaction.time, isFull]);
}

describe('fills of a borrow order', () => {
  const earlier = fill(100, { placedAt: 50n, left: 0n });
  const first = fill(210, { placedAt: 200n, left: 30n });
  const second = fill(220, { placedAt: 200n, left: 10n });

  it('are those of the open order, oldest first', () => {
    expect(fillsOf([earlier, first, second], 200n)).toEqual([
      [210, false],
      [220, false],
    ]);
  });

  it('have its token, and are borrows by a fill', () => {
    const otherToken = fill(230, { placedAt: 200n, left: 1n }, { reserve: named('other reserve') });
    const ownBorrow = fill(240, null, { instruction: 'borrowObligationLiquidityV2' });
    expect(fillsOf([first, otherToken, ownBorrow], 200n)).toEqual([[210, false]]);
  });

  it('count from the time of the order where the program recorded none', () => {
    expect(fillsOf([fill(150, null), fill(205, null)], 200n)).toEqual([[205, false]]);
  });

  it('are those of the last order once it is filled completely, and none when it ended otherwise', () => {
    const last = fill(230, { placedAt: 200n, left: 0n });
    expect(fillsOf([earlier, first, last], null)).toEqual([
      [210, false],
      [230, true],
    ]);
    expect(fillsOf([earlier, first, second], null)).toEqual([]);
    expect(fillsOf([], null)).toEqual([]);
  });
});
