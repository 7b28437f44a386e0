import { ensure } from '../anchor.ts';
import { LENDING } from './lending-errors.ts';
import type { ObligationState } from './obligation-state.ts';
import type { ReserveState } from './reserve-state.ts';

/**
 * What a withdrawal by the liquidation threshold must leave: no deposit with a maximum LTV of 0 or below that of the reserve
 * withdrawn from, an LTV not above the initial one, and below liquidation. The obligation must be refreshed.
 */
export function checkAfterCombination(
  obligation: ObligationState,
  { config }: ReserveState,
  initialLtvSf: bigint,
): void {
  const { factoredDebtValueSf, depositedValueSf, lowestMaxLtvPct } = obligation;
  const hasDebt = factoredDebtValueSf > 0n;
  ensure(!hasDebt || lowestMaxLtvPct !== 0, LENDING.zeroMaxLtvAssetsInDeposits);
  ensure(!hasDebt || lowestMaxLtvPct >= config.loanToValuePct, LENDING.lowestLtvAssetsPriority);
  if (depositedValueSf !== 0n) {
    ensure(obligation.loanToValueSf <= initialLtvSf, LENDING.worseLtvBlocked);
    const isHealthy = obligation.loanToValueSf < obligation.unhealthyLoanToValueSf;
    ensure(isHealthy, LENDING.worseLtvThanUnhealthyLtv);
  }
  ensure(depositedValueSf !== 0n || !hasDebt, LENDING.liabilitiesBiggerThanAssets);
}
