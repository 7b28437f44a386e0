import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Clock } from '../program.ts';
import { secondsSinceMaturity, secondsSinceTerm } from './debt-term.ts';
import type { BorrowState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import type { ReserveState } from './reserve-state.ts';

/** Why a debt may be liquidated, and for how many seconds it has been over where it ended. */
export type LiquidationReason =
  | { readonly kind: 'unhealthy' }
  | { readonly kind: 'maturity' | 'term'; readonly secondsSince: bigint };

/**
 * The first reason that applies; null when none does. The program has others, which are not modelled: deleveraging, which
 * comes before an end, and orders of the borrower, which come last.
 */
export function liquidationReason(
  market: LendingMarket,
  obligation: ObligationState,
  debt: BorrowState,
  repay: ReserveState,
  { unixTimestamp }: Clock,
): LiquidationReason | null {
  const isUnhealthy = obligation.loanToValueSf >= obligation.unhealthyLoanToValueSf;
  if (isUnhealthy && market.priceTriggeredLiquidationDisabled === 0) return { kind: 'unhealthy' };
  const matured = secondsSinceMaturity(repay, unixTimestamp);
  if (matured !== null && market.matureReserveDebtLiquidationEnabled !== 0) {
    return { kind: 'maturity', secondsSince: matured };
  }
  const over = secondsSinceTerm(repay, debt, unixTimestamp);
  if (over !== null && market.obligationBorrowDebtTermLiquidationEnabled !== 0) {
    return { kind: 'term', secondsSince: over };
  }
  return null;
}
