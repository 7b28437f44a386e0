import { fillBorrowOrderV1, fillBorrowOrderV2 } from '@sluice/protocol/klend/order-instructions';
import type { Address } from '@solana/kit';
import { borrowOrders, type PlacedBorrowOrder } from '../../obligations/borrow-orders.ts';
import type { Session } from '../../request/session.ts';
import type { ObligationTimeline } from './timeline.ts';
import type { LendingTransaction } from './transactions.ts';

/** A borrow that filled an order, or a part of it. */
export interface OrderFill {
  readonly transaction: LendingTransaction;
  /** Whether nothing was left of the order. */
  readonly isFull: boolean;
}

const FILLS: readonly (string | null)[] = [fillBorrowOrderV1.name, fillBorrowOrderV2.name];

const isFill = ({ kind, instruction }: LendingTransaction): boolean =>
  kind === 'borrow' && FILLS.includes(instruction);

/**
 * Fills of the open orders of an obligation, oldest first. Without an open order, those of the last one if it was filled
 * completely: an order that is cancelled or expires leaves none.
 */
export function orderFills({ view }: Session, { record, events }: ObligationTimeline): OrderFill[] {
  const mintOf = ({ reserve }: LendingTransaction): Address | null =>
    view.get('reserve', reserve)?.value.liquidity.mintPubkey ?? null;
  const fills = events.filter(isFill);
  const open = record === null ? [] : borrowOrders(record);
  const shown = open.length > 0 ? fillsOfOpen(fills, open, mintOf) : fillsOfLast(fills, mintOf);
  return shown.map((transaction) => ({ transaction, isFull: transaction.order?.left === 0n }));
}

type MintOf = (transaction: LendingTransaction) => Address | null;

function fillsOfOpen(
  fills: readonly LendingTransaction[],
  open: readonly PlacedBorrowOrder[],
  mintOf: MintOf,
): LendingTransaction[] {
  return fills.filter((fill) =>
    open.some(({ order: { debtLiquidityMint, placedAtTimestamp } }) => {
      if (mintOf(fill) !== debtLiquidityMint) return false;
      // A fill whose order is not known counts if it happened while the order was open.
      return fill.order === undefined
        ? BigInt(fill.time) >= placedAtTimestamp
        : fill.order.placedAt === placedAtTimestamp;
    }),
  );
}

function fillsOfLast(fills: readonly LendingTransaction[], mintOf: MintOf): LendingTransaction[] {
  const last = fills.at(-1);
  if (last?.order?.left !== 0n) return [];
  const { placedAt } = last.order;
  return fills.filter((fill) => fill.order?.placedAt === placedAt && mintOf(fill) === mintOf(last));
}
