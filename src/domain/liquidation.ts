import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import {
  ceilScaled,
  divideScaled,
  FRACTION_ONE,
  fromScaledFraction,
  multiplyScaled,
  percentScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { greater, lesser } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { endedDebtScaled, isLiquidatedWhole } from './debt-end.ts';
import {
  type LiquidationBlock,
  type LiquidationPair,
  type LiquidationState,
  liquidationPair,
} from './liquidation-block.ts';
import {
  endedDebtBonusScaled,
  type LiquidationReserves,
  liquidationBonusScaled,
  loanToValueScaled,
} from './liquidation-bonus.ts';
import type { LiquidationGround, LiquidationReason } from './liquidation-reason.ts';
import type { RefreshedDebt, RefreshedObligation } from './refreshed-obligation.ts';
import { collateralToLiquidity, liquidityToCollateral } from './reserve.ts';

/** The outcome of a liquidation, with the program's rounding. Amounts are base units. */
export interface Liquidation {
  readonly reason: LiquidationReason;
  /** The liquidator's bonus as a fraction of the repaid value, in units of 2^-60. */
  readonly bonusSf: bigint;
  /** Debt that the repayment settles, in units of 2^-60 of a base unit. */
  readonly settledSf: bigint;
  /** Paid by the liquidator: the settled debt, rounded up. */
  readonly repaid: bigint;
  /** Collateral tokens that leave the obligation. */
  readonly seized: bigint;
  /** Those of them that the reserve can redeem at once. The liquidator keeps the rest as collateral tokens. */
  readonly redeemed: bigint;
  /** Liquidity for the redeemed ones, of which the protocol takes the fee; 0 when none can be redeemed. */
  readonly liquidity: bigint;
  readonly fee: bigint;
}

/**
 * A liquidation that repays at most `amount` base units of a debt, or the reason why the program refuses it. "all" is as
 * much as the program allows at once. It covers obligations above their threshold and debts that have ended. The program's
 * other reasons are not covered: deleveraging, and orders of the borrower.
 */
export function liquidation(state: LiquidationState, amount: bigint | 'all'): Liquidation | LiquidationBlock {
  const pair = liquidationPair(state);
  if (typeof pair === 'string') return pair;
  const repay = state.reserves(state.repayReserve)?.accrued;
  const withdraw = state.reserves(state.withdrawReserve)?.accrued;
  if (repay === undefined || withdraw === undefined) return 'RESERVE_UNKNOWN';
  const bonusSf = bonusScaled(state, pair.ground, { repay: repay.account, withdraw: withdraw.account });
  const size = sized(state, pair, amount, bonusSf);
  if (size === null) return 'REPAYS_TOO_LITTLE';
  if (size.repaid === 0n || size.seized === 0n) return 'TOO_SMALL';
  const isSame = state.repayReserve === state.withdrawReserve;
  const paid = paidOut(isSame ? repaidTo(withdraw, size) : withdraw, size.seized, bonusSf);
  return { reason: pair.ground.reason, bonusSf, ...size, ...paid };
}

function bonusScaled(
  { obligation, market, group, timestamp }: LiquidationState,
  ground: LiquidationGround,
  reserves: LiquidationReserves,
): bigint {
  return ground.reason === 'UNHEALTHY'
    ? liquidationBonusScaled(obligation, market, group, reserves)
    : endedDebtBonusScaled(obligation, market, group, reserves, ground.end, timestamp);
}

/** Whether a liquidation is refused. */
export const isBlocked = (outcome: Liquidation | LiquidationBlock): outcome is LiquidationBlock =>
  typeof outcome === 'string';

type Size = Pick<Liquidation, 'settledSf' | 'repaid' | 'seized'>;

/** Null when the debt is so small that it must be repaid whole, and the amount does not suffice. */
function sized(
  { obligation, market, timestamp }: LiquidationState,
  { debt, deposit, ground }: LiquidationPair,
  amount: bigint | 'all',
  bonusSf: bigint,
): Size | null {
  const offeredSf = amount === 'all' ? debt.amountSf : lesser(amount * FRACTION_ONE, debt.amountSf);
  const isSmall = isLiquidatedWhole(market, debt.valueSf);
  if (isSmall && offeredSf < debt.amountSf) return null;
  const mostSf =
    ground.reason === 'UNHEALTHY'
      ? liquidatableScaled(obligation, market, debt)
      : endedDebtScaled(ground.end, debt, debt.amountSf, timestamp);
  const debtSf = isSmall ? debt.amountSf : lesser(mostSf, offeredSf);
  const shareSf = divideScaled(debtSf, debt.amountSf);
  const totalSf = multiplyScaled(multiplyScaled(debt.valueSf, shareSf), bonusSf + FRACTION_ONE);
  if (totalSf > deposit.valueSf) {
    const coveredSf = multiplyScaled(debtSf, divideScaled(deposit.valueSf, totalSf));
    const settledSf = isSmall ? debtSf : coveredSf;
    return { settledSf, repaid: ceilScaled(settledSf), seized: deposit.collateral };
  }
  const repaid = { settledSf: debtSf, repaid: ceilScaled(debtSf) };
  if (totalSf === deposit.valueSf) return { ...repaid, seized: deposit.collateral };
  const seizedSf = multiplyScaled(deposit.collateral * FRACTION_ONE, divideScaled(totalSf, deposit.valueSf));
  return { ...repaid, seized: isSmall && seizedSf < FRACTION_ONE ? 1n : seizedSf / FRACTION_ONE };
}

/**
 * The most of a debt that one liquidation of an unhealthy obligation may settle, base units in units of 2^-60: the market's
 * close factor of all debts, and a fixed value. Near insolvency the whole debt.
 */
export function liquidatableScaled(
  obligation: RefreshedObligation,
  market: LendingMarket,
  debt: RefreshedDebt,
): bigint {
  const isAtRisk = loanToValueScaled(obligation) > percentScaled(market.insolvencyRiskUnhealthyLtvPct);
  const closeFactorSf = isAtRisk ? FRACTION_ONE : percentScaled(market.liquidationMaxDebtCloseFactorPct);
  const valueSf = lesser(
    lesser(multiplyScaled(obligation.borrowedSf, closeFactorSf), debt.valueSf),
    market.maxLiquidatableDebtMarketValueAtOnce * FRACTION_ONE,
  );
  return multiplyScaled(debt.amountSf, divideScaled(valueSf, debt.valueSf));
}

/** The reserve after the repayment, where the debt and the collateral are in the same one. */
function repaidTo(accrued: AccruedReserve, { repaid, settledSf }: Size): AccruedReserve {
  const settled = fromScaledFraction(lesser(settledSf, toScaledFraction(accrued.borrowed)));
  return {
    ...accrued,
    available: accrued.available + repaid,
    borrowed: accrued.borrowed.sub(settled),
    totalSupply: accrued.totalSupply.add(integer(repaid)).sub(settled),
  };
}

/** Neither the withdraw queue nor the withdrawal cap of the reserve limits a liquidation. */
function paidOut(
  reserve: AccruedReserve,
  seized: bigint,
  bonusSf: bigint,
): Pick<Liquidation, 'redeemed' | 'liquidity' | 'fee'> {
  const redeemed = lesser(seized, redeemable(reserve));
  if (redeemed === 0n) return { redeemed, liquidity: 0n, fee: 0n };
  const liquidity = collateralToLiquidity(reserve, redeemed).floor();
  return { redeemed, liquidity, fee: liquidationFee(reserve, liquidity, bonusSf) };
}

/** Collateral tokens for which the reserve has the liquidity. */
function redeemable(reserve: AccruedReserve): bigint {
  const { available } = reserve;
  const tokens = liquidityToCollateral(reserve, integer(available));
  const up = tokens.ceil();
  return collateralToLiquidity(reserve, up).floor() <= available ? up : tokens.floor();
}

/** The protocol's share of the bonus, base units of the received liquidity. At least one. */
function liquidationFee({ account }: AccruedReserve, liquidity: bigint, bonusSf: bigint): bigint {
  const amountSf = liquidity * FRACTION_ONE;
  const bonusPartSf = amountSf - divideScaled(amountSf, bonusSf + FRACTION_ONE);
  const share = percentScaled(account.config.protocolLiquidationFeePct);
  return greater(ceilScaled(multiplyScaled(bonusPartSf, share)), 1n);
}

export type { LiquidationBlock } from './liquidation-block.ts';
export type { LiquidationReason } from './liquidation-reason.ts';
