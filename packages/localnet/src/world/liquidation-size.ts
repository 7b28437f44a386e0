import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import {
  BONUS_BPS,
  CLOSE_FACTOR_PCT,
  FULL_LIQUIDATION_USD,
  INSOLVENCY_RISK_PCT,
  MAX_LIQUIDATION_USD,
  PROTOCOL_LIQUIDATION_FEE_PCT,
} from './liquidation-terms.ts';
import type { Borrow, Deposit, Obligation } from './model.ts';
import { bpsSf, ceilSf, divSf, floorSf, maxOf, minOf, mulSf, percentSf, toSf } from './program-maths.ts';

/** From this share of the collateral on, without borrow factors, a debt is nearly bad: 0.99 to the nearest 2^-60. */
const NEARLY_BAD_SF = (99n * FRACTION_ONE + 50n) / 100n;

interface LiquidationSize {
  /** Debt that the repayment settles. */
  readonly settledSf: bigint;
  /** Collateral tokens that the obligation loses. */
  readonly seized: bigint;
  /** The liquidator's, as a fraction of the repaid value. */
  readonly bonusSf: bigint;
}

/** Sizes a liquidation whose liquidator offers to repay all of a debt: the repayment, and the deposit seized for it. */
export function sizeLiquidation(obligation: Obligation, debt: Borrow, deposit: Deposit): LiquidationSize {
  const bonusSf = bonusOf(obligation, debt, deposit);
  const isSmall = debt.valueSf < toSf(FULL_LIQUIDATION_USD);
  const debtSf = isSmall ? debt.amountSf : minOf(liquidatableSf(obligation, debt), debt.amountSf);
  const shareSf = divSf(debtSf, debt.amountSf);
  const totalSf = mulSf(mulSf(debt.valueSf, shareSf), bonusSf + FRACTION_ONE);
  if (totalSf > deposit.valueSf) {
    const coveredSf = mulSf(debtSf, divSf(deposit.valueSf, totalSf));
    return { settledSf: isSmall ? debtSf : coveredSf, seized: deposit.ctokens, bonusSf };
  }
  const seizedSf = mulSf(toSf(deposit.ctokens), divSf(totalSf, deposit.valueSf));
  const seized = isSmall && seizedSf < FRACTION_ONE ? 1n : floorSf(seizedSf);
  return { settledSf: debtSf, seized, bonusSf };
}

/** The market limits each liquidation to a share of all debt and to a value, unless the obligation is nearly insolvent. */
function liquidatableSf(obligation: Obligation, debt: Borrow): bigint {
  const isAtRisk =
    divSf(obligation.adjustedDebtSf, obligation.depositedValueSf) > percentSf(INSOLVENCY_RISK_PCT);
  const closeFactorSf = isAtRisk ? FRACTION_ONE : percentSf(CLOSE_FACTOR_PCT);
  const valueSf = minOf(
    minOf(mulSf(obligation.debtValueSf, closeFactorSf), debt.valueSf),
    toSf(MAX_LIQUIDATION_USD),
  );
  return mulSf(debt.amountSf, divSf(valueSf, debt.valueSf));
}

function bonusOf(obligation: Obligation, { reserve: owed }: Borrow, { reserve: held }: Deposit): bigint {
  const { depositedValueSf, debtValueSf, adjustedDebtSf, unhealthySf, group } = obligation;
  const ltvSf = divSf(debtValueSf, depositedValueSf);
  if (ltvSf >= NEARLY_BAD_SF) {
    const bonusSf = bpsSf(BONUS_BPS.badDebt);
    return ltvSf < FRACTION_ONE ? maxOf(bonusSf, FRACTION_ONE - ltvSf) : bonusSf;
  }
  const excessSf = divSf(adjustedDebtSf, depositedValueSf) - divSf(unhealthySf, depositedValueSf);
  const inGroup = group !== 0 && [owed, held].every(({ spec }) => spec.groups?.includes(group));
  const mostSf = bpsSf(inGroup ? BONUS_BPS.mostInGroup : BONUS_BPS.most);
  return minOf(minOf(maxOf(bpsSf(BONUS_BPS.least), excessSf), mostSf), FRACTION_ONE - ltvSf);
}

/** The protocol's share of the bonus in `liquidity` base units, at least one. */
export function liquidationFee(liquidity: bigint, bonusSf: bigint): bigint {
  const amountSf = toSf(liquidity);
  const withoutBonusSf = divSf(amountSf, bonusSf + FRACTION_ONE);
  return maxOf(1n, ceilSf(mulSf(amountSf - withoutBonusSf, percentSf(PROTOCOL_LIQUIDATION_FEE_PCT))));
}
