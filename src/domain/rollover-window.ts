import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { ObligationLiquidity } from '@sluice/protocol/klend/obligation';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { highestBorrowRateBps } from './borrow-orders.ts';
import { debtTermEnd, fixedTermRolloverWindow, openTermRolloverWindow } from './debt-terms.ts';
import type { RolloverTerms } from './rollover-terms.ts';

/** Between terms; a maturity is none. */
export type RolloverKind = 'FIXED_TO_FIXED' | 'FIXED_TO_OPEN' | 'OPEN_TO_FIXED';

/** Why the owner's terms exclude a reserve. */
export type RolloverMisfit =
  | 'NOT_ALLOWED_BY_OWNER'
  | 'OPEN_TERM_NOT_ALLOWED'
  | 'RATE_TOO_HIGH'
  | 'FIXED_TERM_NOT_ALLOWED'
  | 'TERM_TOO_SHORT';

type Terms = Pick<ReserveConfig, 'debtTermSeconds' | 'borrowRateCurve'>;

/** The kind of a rollover, or why the owner's terms exclude it, in the program's order. */
export function rolloverKind(
  own: RolloverTerms,
  source: Terms,
  target: Terms,
): { readonly of: RolloverKind } | { readonly misfit: RolloverMisfit } {
  const isFixed = source.debtTermSeconds !== 0n;
  const isAllowed = isFixed ? own.autoRolloverEnabled : own.migrationToFixedEnabled;
  if (isAllowed === 0) return { misfit: 'NOT_ALLOWED_BY_OWNER' };
  if (target.debtTermSeconds === 0n) {
    const isOpenAllowed = isFixed && own.openTermAllowed !== 0;
    return isOpenAllowed ? { of: 'FIXED_TO_OPEN' } : { misfit: 'OPEN_TERM_NOT_ALLOWED' };
  }
  if (highestBorrowRateBps(target) > own.maxBorrowRateBps) return { misfit: 'RATE_TOO_HIGH' };
  if (own.minDebtTermSeconds === 0n) return { misfit: 'FIXED_TERM_NOT_ALLOWED' };
  if (target.debtTermSeconds < own.minDebtTermSeconds) return { misfit: 'TERM_TOO_SHORT' };
  return { of: isFixed ? 'FIXED_TO_FIXED' : 'OPEN_TO_FIXED' };
}

/** Why a rollover cannot be sent at a time. */
export type RolloverWindowObstacle = 'SWITCHED_OFF' | 'NO_TERM_END' | 'TOO_EARLY';

/** Compares the time with the window before the end of the debt. @param timestamp Unix seconds */
export function windowObstacle(
  market: Pick<
    LendingMarket,
    | 'fixedTermRolloverWindowDurationSeconds'
    | 'openTermRolloverWindowDurationSeconds'
    | 'obligationBorrowMigrationToFixedExecutionEnabled'
  >,
  kind: RolloverKind,
  debt: Pick<ObligationLiquidity, 'lastBorrowedAtTimestamp' | 'fixedTermBorrowRolloverConfig'>,
  source: Terms,
  timestamp: bigint,
): RolloverWindowObstacle | null {
  if (kind === 'OPEN_TO_FIXED') {
    return market.obligationBorrowMigrationToFixedExecutionEnabled === 0 ? 'SWITCHED_OFF' : null;
  }
  const window =
    kind === 'FIXED_TO_FIXED'
      ? fixedTermRolloverWindow(market, debt.fixedTermBorrowRolloverConfig)
      : openTermRolloverWindow(market);
  if (window === null) return 'SWITCHED_OFF';
  const end = debtTermEnd(source, debt);
  if (end === null) return 'NO_TERM_END';
  return window < atLeastZero(end - timestamp) ? 'TOO_EARLY' : null;
}
