import { divideScaled } from '@sluice/protocol/numeric/fraction';
import { liquidationBonusSf } from '../runtime/klend/liquidation-bonus.ts';
import { type LiquidationSize, sizeLiquidation, unhealthyDebtSf } from '../runtime/klend/liquidation-size.ts';
import { BONUS_BPS, LIQUIDATION_LIMITS } from './liquidation-terms.ts';
import type { Borrow, Deposit, Obligation } from './model.ts';

interface SizeWithBonus extends LiquidationSize {
  /** The liquidator's, as a fraction of the repaid value. */
  readonly bonusSf: bigint;
}

/**
 * Sizes a liquidation whose liquidator offers an amount of a debt. Liquidations are rare, so the rules of the runtime are fast
 * enough.
 */
export function sizeWithBonus(
  obligation: Obligation,
  debt: Borrow,
  deposit: Deposit,
  offered: bigint,
): SizeWithBonus {
  const { debtValueSf, depositedValueSf, adjustedDebtSf, unhealthySf } = obligation;
  const values = {
    debtValueSf,
    depositedValueSf,
    loanToValueSf: divideScaled(adjustedDebtSf, depositedValueSf),
    unhealthyLoanToValueSf: divideScaled(unhealthySf, depositedValueSf),
  };
  const bonusSf = liquidationBonusSf(values, {
    leastBps: BONUS_BPS.least,
    mostBps: isInGroup(obligation, debt, deposit) ? BONUS_BPS.mostInGroup : BONUS_BPS.most,
    badDebtBps: BONUS_BPS.badDebt,
  });
  const { ctokens: collateral, valueSf } = deposit;
  const positions = { debt, deposit: { collateral, valueSf } };
  const mostSf = unhealthyDebtSf(LIQUIDATION_LIMITS, values, debt);
  return { ...sizeLiquidation(LIQUIDATION_LIMITS, positions, mostSf, offered, bonusSf), bonusSf };
}

const isInGroup = ({ group }: Obligation, debt: Borrow, deposit: Deposit) =>
  group !== 0 && [debt, deposit].every(({ reserve }) => reserve.spec.groups?.includes(group));
