import type { ObligationStats } from '../../domain/obligation-stats.ts';
import { type AnswerOf, UNKNOWN_NUMBER } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { RefreshedStats } from './refreshed-stats-schemas.ts';

/** The 13 documented values. `stats` is null when a reserve or price of the obligation is unknown. */
export function refreshedStats(
  stats: ObligationStats | null,
  potentialGroup: number,
): AnswerOf<typeof RefreshedStats> {
  return {
    leverage: decimal(stats?.leverage),
    borrowLimit: decimal(stats?.borrowLimit),
    loanToValue: decimal(stats?.loanToValue),
    liquidationLtv: decimal(stats?.liquidationLtv),
    netAccountValue: decimal(stats?.netAccountValue),
    userTotalBorrow: decimal(stats?.userTotalBorrow),
    userTotalDeposit: decimal(stats?.userTotalDeposit),
    borrowUtilization: decimal(stats?.borrowUtilization),
    borrowLiquidationLimit: decimal(stats?.borrowLiquidationLimit),
    userTotalCollateralDeposit: decimal(stats?.userTotalCollateralDeposit),
    userTotalLiquidatableDeposit: decimal(stats?.userTotalLiquidatableDeposit),
    userTotalBorrowBorrowFactorAdjusted: decimal(stats?.userTotalBorrowBorrowFactorAdjusted),
    potentialElevationGroupUpdate: stats === null ? UNKNOWN_NUMBER : potentialGroup,
  };
}
