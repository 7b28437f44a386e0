import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';

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

type RolloverConfig = ObligationLiquidity['fixedTermBorrowRolloverConfig'];

/**
 * Seconds before the end of its term in which a debt may be rolled over to another fixed term. The debt may set its own
 * number of days, but null, when the market has switched such rollovers off, holds whatever it sets.
 */
export function fixedTermRolloverWindow(
  market: Pick<LendingMarket, 'fixedTermRolloverWindowDurationSeconds'>,
  { fixedTermRolloverWindowDurationDays: days }: RolloverConfig,
): bigint | null {
  const ofMarket = market.fixedTermRolloverWindowDurationSeconds;
  if (ofMarket === 0n) return null;
  return days === 0 ? ofMarket : BigInt(days) * DAY_SECONDS;
}

/** The same for a rollover into a debt without a term, which only the market decides. */
export function openTermRolloverWindow(
  market: Pick<LendingMarket, 'openTermRolloverWindowDurationSeconds'>,
): bigint | null {
  return market.openTermRolloverWindowDurationSeconds || null;
}
