import type { ElevationGroup } from '@sluice/protocol/klend/lending-market';
import { isGroupMember } from './elevation-group.ts';
import { bpsSf, divSf, leastOf, ONE_SF } from './fraction.ts';
import type { ObligationState } from './obligation-state.ts';
import type { ReserveState } from './reserve-state.ts';

/** From this share of the collateral on, without borrow factors, a debt is nearly bad: 0.99 to the nearest 2^-60. */
const NEARLY_BAD_SF = ((99n << 60n) + 50n) / 100n;

const greatestOf = (a: bigint, b: bigint) => (a > b ? a : b);

/** The liquidator's bonus, as a fraction of the repaid value, for an obligation above its liquidation threshold. */
export function liquidationBonusSf(
  obligation: ObligationState,
  collateral: ReserveState,
  debt: ReserveState,
  group: ElevationGroup | null,
): bigint {
  const [seized, repaid] = [collateral.config, debt.config];
  const ltvSf = divSf(obligation.debtValueSf, obligation.depositedValueSf);
  if (ltvSf >= NEARLY_BAD_SF) {
    const bonusSf = bpsSf(Math.min(seized.badDebtLiquidationBonusBps, repaid.badDebtLiquidationBonusBps));
    return ltvSf < ONE_SF ? greatestOf(bonusSf, ONE_SF - ltvSf) : bonusSf;
  }
  const excessSf = obligation.loanToValueSf - obligation.unhealthyLoanToValueSf;
  const most = Math.max(seized.maxLiquidationBonusBps, repaid.maxLiquidationBonusBps);
  const mostSf = bpsSf(Math.min(most, groupBonusBps(collateral, debt, group)));
  const leastSf = bpsSf(Math.max(seized.minLiquidationBonusBps, repaid.minLiquidationBonusBps));
  return leastOf(leastOf(greatestOf(leastSf, excessSf), mostSf), ONE_SF - ltvSf);
}

/** The group's own maximum counts where it is below those of both reserves. */
function groupBonusBps(collateral: ReserveState, debt: ReserveState, group: ElevationGroup | null): number {
  if (group === null || !isGroupMember(collateral, group) || !isGroupMember(debt, group))
    return Number.POSITIVE_INFINITY;
  const { maxLiquidationBonusBps } = group;
  const isBelow =
    maxLiquidationBonusBps <= collateral.config.maxLiquidationBonusBps &&
    maxLiquidationBonusBps <= debt.config.maxLiquidationBonusBps;
  return isBelow && maxLiquidationBonusBps !== 0 ? maxLiquidationBonusBps : Number.POSITIVE_INFINITY;
}
