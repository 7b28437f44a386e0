import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { BorrowOrder, Obligation, ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { wholeScaled } from '@sluice/protocol/numeric/fraction';
import { presentAddress } from '@sluice/protocol/program-ids';
import { valueScaled } from './refreshed-obligation.ts';
import { isSameRollover, type RolloverTerms } from './rollover-terms.ts';

/** Orders to borrow of an obligation. */
export const BORROW_ORDER_SLOTS = 3;

/** The slots of an obligation, empty ones included. */
export function borrowOrderSlots({ headBorrowOrder, tailBorrowOrders }: Obligation): BorrowOrder[] {
  return [headBorrowOrder, ...tailBorrowOrders];
}

/** The program clears the whole order when it is cancelled or filled. */
export const isPlacedOrder = ({ debtLiquidityMint }: BorrowOrder): boolean =>
  presentAddress(debtLiquidityMint) !== null;

/** Whether its time is over, at a unix time in seconds: the next refresh of the obligation removes it. */
export const isExpiredOrder = ({ fillableUntilTimestamp }: BorrowOrder, timestamp: bigint): boolean =>
  fillableUntilTimestamp < timestamp;

/** Highest rate of the curve, in basis points per year: what an order compares with its maximum. */
export function highestBorrowRateBps({ borrowRateCurve }: Pick<ReserveConfig, 'borrowRateCurve'>): number {
  return Math.max(...borrowRateCurve.points.map(({ borrowRateBps }) => borrowRateBps));
}

/** Why the terms of a reserve are not those of an order. */
export const BORROW_ORDER_MISFITS = ['RATE_TOO_HIGH', 'HAS_TERM', 'TERM_TOO_SHORT'] as const;
export type BorrowOrderMisfit = (typeof BORROW_ORDER_MISFITS)[number];

type Terms = Pick<BorrowOrder, 'maxBorrowRateBps' | 'minDebtTermSeconds'>;

/** Compares the terms at a unix time in seconds, in the program's order. Null when the reserve meets them. */
export function borrowOrderMisfit(
  { maxBorrowRateBps, minDebtTermSeconds }: Terms,
  config: ReserveConfig,
  timestamp: bigint,
): BorrowOrderMisfit | null {
  if (highestBorrowRateBps(config) > maxBorrowRateBps) return 'RATE_TOO_HIGH';
  const { debtTermSeconds, debtMaturityTimestamp } = config;
  const untilMaturity = debtMaturityTimestamp > timestamp ? debtMaturityTimestamp - timestamp : 0n;
  const ends = [
    ...(debtTermSeconds === 0n ? [] : [debtTermSeconds]),
    ...(debtMaturityTimestamp === 0n ? [] : [untilMaturity]),
  ];
  if (ends.length === 0) return null;
  // Without a minimum, an order accepts no debt that ends.
  if (minDebtTermSeconds === 0n) return 'HAS_TERM';
  return ends.some((seconds) => seconds < minDebtTermSeconds) ? 'TERM_TOO_SHORT' : null;
}

/** Why the program refuses a fill after it has borrowed, in the order of its checks. */
export type FillHindrance =
  | 'EXECUTION_DISABLED'
  | BorrowOrderMisfit
  | 'EXPIRED'
  | 'FILL_TOO_SMALL'
  | 'REST_TOO_SMALL'
  | 'ROLLOVER_DISABLED'
  | 'ROLLOVER_MISMATCH';

export interface Fill {
  readonly order: BorrowOrder;
  readonly market: LendingMarket;
  readonly reserve: Reserve;
  /** Unix seconds. */
  readonly timestamp: bigint;
  /** Base units that the owner receives. */
  readonly filled: bigint;
  /** Of the reserve's token, in units of 2^-60. Null when it is unknown: then no value is compared. */
  readonly priceSf: bigint | null;
  /** The debt in this reserve before the fill; undefined for none. */
  readonly debt: ObligationLiquidity | undefined;
}

export function fillHindrance(fill: Fill): FillHindrance | null {
  const { order, market, reserve, timestamp, filled } = fill;
  if (market.borrowOrderExecutionEnabled === 0) return 'EXECUTION_DISABLED';
  const misfit = borrowOrderMisfit(order, reserve.config, timestamp);
  if (misfit !== null) return misfit;
  if (isExpiredOrder(order, timestamp)) return 'EXPIRED';
  const rest = order.remainingDebtAmount - filled;
  if (rest > 0n && isBelowMinimum(fill, filled)) return 'FILL_TOO_SMALL';
  if (rest > 0n && isBelowMinimum(fill, rest)) return 'REST_TOO_SMALL';
  return rolloverHindrance(fill);
}

const isBelowMinimum = ({ market, reserve, priceSf }: Fill, amount: bigint): boolean =>
  priceSf !== null && isBelowOrderMinimum(market, reserve, amount, priceSf);

/** Whether an amount is worth less than the market's minimum of an order and of a fill; the price in units of 2^-60. */
export function isBelowOrderMinimum(
  { minBorrowOrderFillValue }: LendingMarket,
  reserve: Reserve,
  amount: bigint,
  priceSf: bigint,
): boolean {
  return valueScaled(reserve, wholeScaled(amount), priceSf) < wholeScaled(minBorrowOrderFillValue);
}

/** The rollover terms of a debt that an order with auto-rollover opens; null for an order without it. */
export function rolloverOfOrder(order: BorrowOrder): RolloverTerms | null {
  const { enableAutoRolloverOnFilledBorrows, maxBorrowRateBps, minDebtTermSeconds } = order;
  if (enableAutoRolloverOnFilledBorrows === 0) return null;
  return {
    autoRolloverEnabled: 1,
    openTermAllowed: 1,
    migrationToFixedEnabled: minDebtTermSeconds === 0n ? 0 : 1,
    fixedTermRolloverWindowDurationDays: 0,
    maxBorrowRateBps,
    minDebtTermSeconds,
  };
}

function rolloverHindrance({ order, market, debt }: Fill): FillHindrance | null {
  const rollover = rolloverOfOrder(order);
  if (rollover === null) return null;
  if (market.obligationBorrowRolloverConfigurationEnabled === 0) return 'ROLLOVER_DISABLED';
  if (debt === undefined) return null;
  return isSameRollover(debt.fixedTermBorrowRolloverConfig, rollover) ? null : 'ROLLOVER_MISMATCH';
}
