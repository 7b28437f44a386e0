import type { BorrowOrder, ObligationCollateral } from '@sluice/protocol/klend/obligation';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { floorScaled, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { borrowOrderInWords } from '../../domain/borrow-order-words.ts';
import {
  type BorrowOrderMisfit,
  borrowOrderMisfit,
  borrowOrderSlots,
  fillHindrance,
  highestBorrowRateBps,
  isExpiredOrder,
  isPlacedOrder,
} from '../../domain/borrow-orders.ts';
import { borrowAtMost, exactBorrow, wholeBorrow } from '../../domain/borrow-size.ts';
import { borrowCapacities, maxAmount } from '../../domain/capacity.ts';
import { activeBorrows, activeDeposits } from '../../domain/obligation.ts';
import { refreshedObligation } from '../../domain/refreshed-obligation.ts';
import type { ObligationRecord, ReserveRecord, UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import { Valuation } from '../tokens/valuation.ts';
import { type ValuedObligation, valueObligation } from './obligations.ts';

export { BORROW_ORDER_MISFITS, type BorrowOrderMisfit } from '../../domain/borrow-orders.ts';

/** An order to borrow, and its place in the obligation. */
export interface PlacedBorrowOrder {
  readonly record: ObligationRecord;
  /** 0 to 2. */
  readonly index: number;
  readonly order: BorrowOrder;
}

/** The borrow orders of an obligation, by index. Those whose time is over stay until it is refreshed. */
export function borrowOrders(record: ObligationRecord): PlacedBorrowOrder[] {
  return borrowOrderSlots(record.value)
    .map((order, index) => ({ record, index, order }))
    .filter(({ order }) => isPlacedOrder(order));
}

/** Order 0, the only one before klend 1.24; null without one. */
export function borrowOrder(record: ObligationRecord): PlacedBorrowOrder | null {
  return borrowOrders(record).find(({ index }) => index === 0) ?? null;
}

export const isExpired = ({ moment }: View, { order }: PlacedBorrowOrder): boolean =>
  isExpiredOrder(order, moment.timestamp);

/** Identifies an order in a list. */
export const borrowOrderId = ({ record, index }: PlacedBorrowOrder): string => `${record.address}:${index}`;

/**
 * The orders of a market that can still be filled, by address of the obligation and index, read from the chain.
 *
 * @param mint of the token to borrow; null for all tokens
 */
export async function openBorrowOrders(
  session: Session,
  market: Address,
  mint: Address | null,
): Promise<{ readonly orders: readonly PlacedBorrowOrder[]; readonly unreadable: UnreadableAccounts }> {
  const { found, unreadable } = await session.obligationsWithBorrowOrders(market, mint);
  const { timestamp } = session.newestMoment;
  const records = [...new Map(found.map((record) => [record.address, record])).values()];
  const orders = records
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .flatMap(borrowOrders)
    .filter(({ order }) => mint === null || order.debtLiquidityMint === mint)
    .filter(({ order }) => !isExpiredOrder(order, timestamp));
  return { orders, unreadable };
}

/** The orders of `openBorrowOrders` with an amount that is still to be borrowed. */
export async function unfilledBorrowOrders(
  session: Session,
  market: Address,
): Promise<readonly PlacedBorrowOrder[]> {
  const { orders } = await openBorrowOrders(session, market, null);
  return orders.filter(({ order }) => order.remainingDebtAmount > 0n);
}

/** Deposits of the obligation, as stored in its account. */
export const depositsBehind = ({ record }: PlacedBorrowOrder): ObligationCollateral[] =>
  activeDeposits(record.value);

/** What is still to be borrowed. Null for a token that is not known. */
export function remainingAmount(view: View, { order }: PlacedBorrowOrder): TokenAmount | null {
  const decimals = view.get('mint', order.debtLiquidityMint)?.value.decimals;
  if (decimals === undefined) return null;
  const denomination = denominationOf(view, order.debtLiquidityMint, decimals);
  return tokenAmount(view, denomination, integer(order.remainingDebtAmount));
}

/** The order in one sentence. */
export function describedBorrowOrder(view: View, placed: PlacedBorrowOrder): string {
  const { order } = placed;
  const remaining = remainingAmount(view, placed);
  const symbol = tokenSymbol(view, order.debtLiquidityMint);
  const amount =
    remaining === null
      ? `${order.remainingDebtAmount} base units of ${order.debtLiquidityMint}`
      : `${toDecimalString(remaining.amount)} ${symbol}`;
  return borrowOrderInWords(order, amount);
}

/** A reserve that lends the token of an order, compared with its terms. */
export interface BorrowOrderReserve {
  readonly placed: PlacedBorrowOrder;
  readonly reserve: ReserveRecord;
  /** Highest rate of its curve, basis points per year. */
  readonly maxBorrowRateBps: number;
  /** Null when it meets the terms. */
  readonly misfit: BorrowOrderMisfit | null;
}

/** The reserves of the order's token in its market, by address. */
export function reservesOfOrder(view: View, placed: PlacedBorrowOrder): BorrowOrderReserve[] {
  const { record, order } = placed;
  return view
    .reservesOfMint(order.debtLiquidityMint)
    .filter(({ value }) => value.lendingMarket === record.value.lendingMarket)
    .sort((a, b) => (a.address < b.address ? -1 : 1))
    .map((reserve) => ({
      placed,
      reserve,
      maxBorrowRateBps: highestBorrowRateBps(reserve.value.config),
      misfit: borrowOrderMisfit(order, reserve.value.config, view.moment.timestamp),
    }));
}

/** What a fill from the reserve would pay now: 0 when the program refuses it, null when a value is unknown. */
export function fillableNow(
  session: Pick<Session, 'view'>,
  { placed, reserve }: BorrowOrderReserve,
): TokenAmount | null {
  const { view } = session;
  const units = fillableUnits(valueObligation(session, placed.record), placed.order, reserve);
  return units === null ? null : reserveAmount(view, reserve, integer(units));
}

function fillableUnits(
  { view, record, market, positions, stats }: ValuedObligation,
  order: BorrowOrder,
  { address, value }: ReserveRecord,
): bigint | null {
  const reserves = (each: Address) => Valuation.of(view).priced(each);
  const priced = reserves(address);
  if (market === null || positions === null || stats === null || !priced?.priceUsd) return null;
  const { value: obligation } = record;
  const refreshed = refreshedObligation(obligation, market.value, reserves);
  const known = { obligation, market: market.value, reserves, positions, stats };
  const capacities = borrowCapacities(known, address, priced, view.moment);
  if (refreshed === null || capacities === null) return null;
  const group = obligation.elevationGroup;
  const asked = borrowAtMost(refreshed, group, priced, order.remainingDebtAmount);
  const size = asked === 'all' ? wholeBorrow(refreshed, group, priced) : exactBorrow(value, asked);
  if (floorScaled(size.debtSf) > maxAmount(capacities).floor()) return 0n;
  const hindrance = fillHindrance({
    order,
    market: market.value,
    reserve: value,
    timestamp: view.moment.timestamp,
    filled: size.received,
    priceSf: toScaledFraction(priced.priceUsd),
    debt: activeBorrows(obligation).find(({ borrowReserve }) => borrowReserve === address),
  });
  return hindrance === null ? size.received : 0n;
}
