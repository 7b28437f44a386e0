import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import {
  addSf,
  ceilSf,
  divSf,
  floorSf,
  leastOf,
  mulSf,
  ONE_SF,
  percentSf,
  subSf,
  subSfToZero,
  wholeSf,
} from './fraction.ts';
import { LENDING } from './lending-errors.ts';
import type { BorrowState, DepositState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';

export interface LiquidationSize {
  /** Debt that the repayment settles. */
  readonly settledSf: bigint;
  /** Base units that the liquidator pays. */
  readonly repaid: bigint;
  /** Collateral tokens that the obligation loses. */
  readonly seized: bigint;
}

/** Limits of a market. */
export type LiquidationLimits = Pick<
  LendingMarket,
  | 'minFullLiquidationValueThreshold'
  | 'insolvencyRiskUnhealthyLtvPct'
  | 'liquidationMaxDebtCloseFactorPct'
  | 'maxLiquidatableDebtMarketValueAtOnce'
>;

/** Values of the obligation at its last refresh. */
type LiquidatedObligation = Pick<ObligationState, 'debtValueSf' | 'loanToValueSf'>;

interface LiquidatedPositions {
  readonly debt: Pick<BorrowState, 'amountSf' | 'valueSf'>;
  readonly deposit: Pick<DepositState, 'collateral' | 'valueSf'>;
}

/**
 * Amounts that one liquidation repays of a debt, at most `amount` base units, and seizes of a deposit.
 *
 * @param mostSf of the debt that the reason of the liquidation allows
 */
export function sizeLiquidation(
  market: Pick<LiquidationLimits, 'minFullLiquidationValueThreshold'>,
  { debt, deposit }: LiquidatedPositions,
  mostSf: bigint,
  amount: bigint,
  bonusSf: bigint,
): LiquidationSize {
  const offeredSf = leastOf(wholeSf(amount), debt.amountSf);
  // A small debt must be liquidated whole.
  const isSmall = debt.valueSf < wholeSf(market.minFullLiquidationValueThreshold);
  ensure(!isSmall || offeredSf === debt.amountSf, LENDING.repayTooSmallForFullLiquidation);
  const debtSf = isSmall ? debt.amountSf : leastOf(mostSf, offeredSf);
  const shareSf = divSf(debtSf, debt.amountSf);
  const totalSf = mulSf(mulSf(debt.valueSf, shareSf), addSf(bonusSf, ONE_SF));
  if (totalSf > deposit.valueSf) {
    const coveredSf = mulSf(debtSf, divSf(deposit.valueSf, totalSf));
    const settledSf = isSmall ? debtSf : coveredSf;
    return { settledSf, repaid: ceilSf(settledSf), seized: deposit.collateral };
  }
  const size = { settledSf: debtSf, repaid: ceilSf(debtSf) };
  if (totalSf === deposit.valueSf) return { ...size, seized: deposit.collateral };
  const seizedSf = mulSf(wholeSf(deposit.collateral), divSf(totalSf, deposit.valueSf));
  return { ...size, seized: isSmall && seizedSf < ONE_SF ? 1n : floorSf(seizedSf) };
}

/**
 * The part of a debt whose term is over that may be liquidated: it grows evenly from the end of the term on.
 *
 * @param seconds since that end
 */
export function endedTermSf(
  {
    termBasedFullLiquidationDurationSecs: duration,
  }: Pick<LendingMarket, 'termBasedFullLiquidationDurationSecs'>,
  { amountSf, atExpiration }: Pick<BorrowState, 'amountSf' | 'atExpiration'>,
  seconds: bigint,
): bigint {
  if (seconds >= duration) return amountSf;
  return subSfToZero(amountSf, (wholeSf(atExpiration) * (duration - seconds)) / duration);
}

/**
 * The part of a debt of an unhealthy obligation that may be liquidated at once: the market limits it to a share of all debt
 * and to a value, unless the obligation is nearly insolvent.
 */
export function unhealthyDebtSf(
  market: LiquidationLimits,
  obligation: LiquidatedObligation,
  debt: LiquidatedPositions['debt'],
): bigint {
  const isAtRisk = obligation.loanToValueSf > percentSf(market.insolvencyRiskUnhealthyLtvPct);
  const closeFactorSf = isAtRisk ? ONE_SF : percentSf(market.liquidationMaxDebtCloseFactorPct);
  const valueSf = leastOf(
    leastOf(mulSf(obligation.debtValueSf, closeFactorSf), debt.valueSf),
    wholeSf(market.maxLiquidatableDebtMarketValueAtOnce),
  );
  return mulSf(debt.amountSf, divSf(valueSf, debt.valueSf));
}

/** The protocol's share of the bonus in `liquidity` base units, at least one. */
export function liquidationFee(liquidity: bigint, bonusSf: bigint, feePct: number): bigint {
  const amountSf = wholeSf(liquidity);
  const withoutBonusSf = divSf(amountSf, addSf(bonusSf, ONE_SF));
  const fee = ceilSf(mulSf(subSf(amountSf, withoutBonusSf), percentSf(feePct)));
  return fee > 1n ? fee : 1n;
}
