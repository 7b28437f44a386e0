import type { ElevationGroup } from '@sluice/protocol/klend/lending-market';
import { isGroupMember } from './elevation-group.ts';
import { bpsSf, divSf, leastOf, ONE_SF } from './fraction.ts';
import type { ObligationState } from './obligation-state.ts';
import type { ReserveState } from './reserve-state.ts';

/** From this share of the collateral on, without borrow factors, a debt is nearly bad: 0.99 to the nearest 2^-60. */
const NEARLY_BAD_SF = ((99n << 60n) + 50n) / 100n;

const greatestOf = (a: bigint, b: bigint) => (a > b ? a : b);

/** Terms of a bonus in basis points. */
export interface BonusTerms {
  readonly leastBps: number;
  readonly mostBps: number;
  readonly badDebtBps: number;
}

/** Terms for a collateral and a debt. */
export function bonusTerms(
  collateral: ReserveState,
  debt: ReserveState,
  group: ElevationGroup | null,
): BonusTerms {
  const [seized, repaid] = [collateral.config, debt.config];
  const most = Math.max(seized.maxLiquidationBonusBps, repaid.maxLiquidationBonusBps);
  return {
    leastBps: Math.max(seized.minLiquidationBonusBps, repaid.minLiquidationBonusBps),
    mostBps: Math.min(most, groupBonusBps(collateral, debt, group)),
    badDebtBps: Math.min(seized.badDebtLiquidationBonusBps, repaid.badDebtLiquidationBonusBps),
  };
}

/** The liquidator's bonus, as a fraction of the repaid value, for an obligation above its liquidation threshold. */
export function liquidationBonusSf(
  obligation: Pick<
    ObligationState,
    'debtValueSf' | 'depositedValueSf' | 'loanToValueSf' | 'unhealthyLoanToValueSf'
  >,
  { leastBps, mostBps, badDebtBps }: BonusTerms,
): bigint {
  const ltvSf = divSf(obligation.debtValueSf, obligation.depositedValueSf);
  if (ltvSf >= NEARLY_BAD_SF) {
    const bonusSf = bpsSf(badDebtBps);
    return ltvSf < ONE_SF ? greatestOf(bonusSf, ONE_SF - ltvSf) : bonusSf;
  }
  const excessSf = obligation.loanToValueSf - obligation.unhealthyLoanToValueSf;
  return leastOf(leastOf(greatestOf(bpsSf(leastBps), excessSf), bpsSf(mostBps)), ONE_SF - ltvSf);
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
