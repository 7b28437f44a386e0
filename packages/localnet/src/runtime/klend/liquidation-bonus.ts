import type { ElevationGroup } from '@sluice/protocol/klend/lending-market';
import { isGroupMember } from './elevation-group.ts';
import { addSf, bpsSf, divSf, leastOf, mulSf, ONE_SF, subSfToZero, wholeSf } from './fraction.ts';
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

const DAY_SECONDS = 86_400n;

/** Terms of a bonus that grows by the day, in basis points. */
export interface GrowingBonusTerms {
  readonly leastBps: number;
  readonly perDayBps: bigint;
  readonly mostBps: number;
}

/** Terms for a debt of a matured reserve: its own. */
export const maturityBonusTerms = ({ config }: ReserveState): GrowingBonusTerms => ({
  leastBps: config.minDeleveragingBonusBps,
  perDayBps: config.deleveragingBonusIncreaseBpsPerDay,
  mostBps: config.maxLiquidationBonusBps,
});

/** Terms for a debt whose term is over: those of the reserve that has the higher ones, its maximum first. */
export function termBonusTerms(
  collateral: ReserveState,
  debt: ReserveState,
  group: ElevationGroup | null,
): GrowingBonusTerms {
  const [seized, repaid] = [maturityBonusTerms(collateral), maturityBonusTerms(debt)];
  const higher = isHigher(seized, repaid) ? seized : repaid;
  return { ...higher, mostBps: Math.min(higher.mostBps, groupBonusBps(collateral, debt, group)) };
}

function isHigher(one: GrowingBonusTerms, other: GrowingBonusTerms): boolean {
  if (one.mostBps !== other.mostBps) return one.mostBps > other.mostBps;
  if (one.perDayBps !== other.perDayBps) return one.perDayBps > other.perDayBps;
  return one.leastBps > other.leastBps;
}

/** The bonus for a debt that ended some seconds ago. It leaves nothing of the debt uncovered. */
export function growingBonusSf(
  { debtValueSf, depositedValueSf }: Pick<ObligationState, 'debtValueSf' | 'depositedValueSf'>,
  { leastBps, perDayBps, mostBps }: GrowingBonusTerms,
  seconds: bigint,
): bigint {
  const daysSf = wholeSf(seconds) / DAY_SECONDS;
  const grownSf = addSf(bpsSf(leastBps), mulSf(bpsSf(perDayBps), daysSf));
  const uncoveredSf = subSfToZero(ONE_SF, divSf(debtValueSf, depositedValueSf));
  return leastOf(grownSf, leastOf(bpsSf(mostBps), uncoveredSf));
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
