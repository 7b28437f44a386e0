import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import type { RolloverTerms } from './rollover-terms.ts';

/** When debts to a reserve end: when they are repaid, a fixed time after the last borrow, or all on one date. */
export type DebtTermKind = 'OPEN_TERM' | 'FIXED_TERM' | 'MATURITY';

/** A reserve with a term and a maturity counts as one with a term: its rollovers follow the term. */
export function debtTermKind({
  debtTermSeconds,
  debtMaturityTimestamp,
}: Pick<ReserveConfig, 'debtTermSeconds' | 'debtMaturityTimestamp'>): DebtTermKind {
  if (debtTermSeconds !== 0n) return 'FIXED_TERM';
  return debtMaturityTimestamp === 0n ? 'OPEN_TERM' : 'MATURITY';
}

/** Whether the rate is the same at any utilization. */
export function hasFixedRate({ borrowRateCurve }: Pick<ReserveConfig, 'borrowRateCurve'>): boolean {
  const [first, ...others] = borrowRateCurve.points;
  return others.every(({ borrowRateBps }) => borrowRateBps === first?.borrowRateBps);
}

const DAY_SECONDS = 86_400n;

/**
 * End of the term of a debt, Unix seconds: every borrow from the reserve starts it anew. Null in a reserve without a term,
 * and for a debt whose time of borrowing the program did not store.
 */
export function debtTermEnd(
  { debtTermSeconds }: Pick<ReserveConfig, 'debtTermSeconds'>,
  { lastBorrowedAtTimestamp }: Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp'>,
): bigint | null {
  const isTracked = debtTermSeconds !== 0n && lastBorrowedAtTimestamp !== 0n;
  return isTracked ? lastBorrowedAtTimestamp + debtTermSeconds : null;
}

/**
 * Seconds before the end of its term in which a debt may be rolled over to another fixed term. The debt may set its own
 * number of days, but null, when the market has switched such rollovers off, holds whatever it sets.
 */
export function fixedTermRolloverWindow(
  market: Pick<LendingMarket, 'fixedTermRolloverWindowDurationSeconds'>,
  { fixedTermRolloverWindowDurationDays: days }: RolloverTerms,
): bigint | null {
  const ofMarket = marketRolloverWindow(market);
  return ofMarket === null || days === 0 ? ofMarket : BigInt(days) * DAY_SECONDS;
}

/** The market's window of rollovers to another fixed term, seconds; null when it has switched them off. */
export function marketRolloverWindow(
  market: Pick<LendingMarket, 'fixedTermRolloverWindowDurationSeconds'>,
): bigint | null {
  return market.fixedTermRolloverWindowDurationSeconds || null;
}

/** The same for a rollover into a debt without a term, which only the market decides. */
export function openTermRolloverWindow(
  market: Pick<LendingMarket, 'openTermRolloverWindowDurationSeconds'>,
): bigint | null {
  return market.openTermRolloverWindowDurationSeconds || null;
}
