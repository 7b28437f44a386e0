import type { ElevationGroup, LendingMarket } from '@sluice/protocol/klend/lending-market';
import { ensure } from '../anchor.ts';
import type { InstructionAccount } from '../instruction-account.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import { collateralTerms, elevationGroupOf, recountInGroup } from './elevation-group.ts';
import { collateralToLiquidity, exchangeRateOf } from './exchange-rate.ts';
import { leastOf } from './fraction.ts';
import { countRepayment } from './group-limits.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import {
  bonusTerms,
  growingBonusSf,
  liquidationBonusSf,
  maturityBonusTerms,
  termBonusTerms,
} from './liquidation-bonus.ts';
import { type LiquidationReason, liquidationReason } from './liquidation-reason.ts';
import { endedTermSf, liquidationFee, sizeLiquidation, unhealthyDebtSf } from './liquidation-size.ts';
import type { BorrowState, DepositState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { findBorrow, settleDebt } from './repay.ts';
import {
  redeemableCollateral,
  repayToReserve,
  updateLimitTimestamps,
  withdrawQueued,
} from './reserve-liquidity.ts';
import { refreshReserveState } from './reserve-refresh.ts';
import { ReserveState } from './reserve-state.ts';

/** A price may differ from its average or leave its bounds and still serve for a liquidation. */
const LIQUIDATION_PRICE = PRICE_STATUS.loaded | PRICE_STATUS.age | PRICE_STATUS.usageAllowed;

export interface LiquidationContext {
  readonly market: LendingMarket;
  readonly clock: Clock;
  readonly obligation: ObligationState;
  /** The reserve of the debt, and the one of the collateral. */
  readonly repayReserve: InstructionAccount;
  readonly withdrawReserve: InstructionAccount;
  /** In a group: the reserves of the deposits, in their order. */
  readonly depositReserves: readonly InstructionAccount[];
}

export interface Liquidation {
  /** Base units that the liquidator pays. */
  readonly repaid: bigint;
  /** Collateral tokens that leave the obligation, and those of them that are redeemed at once. */
  readonly seized: bigint;
  readonly redeemed: bigint;
  /** Base units for the redeemed ones, of which the protocol takes the fee; 0 when none are redeemed. */
  readonly liquidity: bigint;
  readonly fee: bigint;
}

/**
 * Liquidates a debt of an obligation above its liquidation threshold, or one that has ended, and writes both reserves. The
 * program's other reasons are not modelled: deleveraging, and orders of the borrower.
 */
export function liquidate(context: LiquidationContext, amount: bigint, leastReceived: bigint): Liquidation {
  const { market, obligation } = context;
  const repay = ReserveState.load(context.repayReserve);
  const withdraw = ReserveState.load(context.withdrawReserve);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  const { liquidationThresholdPct } = collateralTerms(withdraw, group);
  ensure(liquidationThresholdPct !== 0, LENDING.collateralNonLiquidatable);
  checkLiquidatable(context, repay, withdraw, amount);
  const debt = findBorrow(obligation, repay);
  ensure(debt.factoredValueSf !== 0n, LENDING.obligationLiquidityEmpty);
  const deposit = findDeposit(obligation, withdraw);
  ensure(deposit.valueSf !== 0n, LENDING.obligationCollateralEmpty);

  const reason = liquidationReason(market, obligation, debt, repay, context.clock);
  if (reason === null) throw customError(LENDING.obligationHealthy);
  const isRiskiestDebt = repay.config.borrowFactorPct >= obligation.highestBorrowFactorPct;
  ensure(isRiskiestDebt || reason.kind !== 'unhealthy', LENDING.liquidationBorrowFactorPriority);
  const isRiskiestDeposit = liquidationThresholdPct <= obligation.lowestLiquidationLtvPct;
  ensure(isRiskiestDeposit, LENDING.liquidationLowestLiquidationLtvPriority);
  const bonusSf = bonusFor(reason, obligation, { withdraw, repay, group });
  const size = sizeLiquidation(
    market,
    { debt, deposit },
    mostFor(reason, market, obligation, debt),
    amount,
    bonusSf,
  );
  const { settledSf, repaid, seized } = size;

  countRepayment(obligation, debt, repay, repaid, context.depositReserves);
  ensure(repaid !== 0n && seized !== 0n, LENDING.liquidationTooSmall);
  repayToReserve(repay, repaid, settledSf);
  repay.lastUpdate.stale = true;
  repay.save();
  settleDebt(obligation, debt, settledSf);
  deposit.collateral -= seized;
  const isEmptied = deposit.collateral === 0n;
  if (isEmptied) obligation.deposits[obligation.deposits.indexOf(deposit)] = null;

  const paid = payOut(context, seized, bonusSf, leastReceived, (reserve) => {
    if (isEmptied && obligation.inGroup) {
      recountInGroup(reserve, obligation.elevationGroup, deposit.borrowedInGroup, 0n);
    }
  });
  return { repaid, seized, ...paid };
}

function bonusFor(
  reason: LiquidationReason,
  obligation: ObligationState,
  {
    withdraw,
    repay,
    group,
  }: { readonly withdraw: ReserveState; readonly repay: ReserveState; readonly group: ElevationGroup | null },
): bigint {
  switch (reason.kind) {
    case 'unhealthy':
      return liquidationBonusSf(obligation, bonusTerms(withdraw, repay, group));
    case 'maturity':
      return growingBonusSf(obligation, maturityBonusTerms(repay), reason.secondsSince);
    case 'term':
      return growingBonusSf(obligation, termBonusTerms(withdraw, repay, group), reason.secondsSince);
  }
}

function mostFor(
  reason: LiquidationReason,
  market: LendingMarket,
  obligation: ObligationState,
  debt: BorrowState,
): bigint {
  switch (reason.kind) {
    case 'unhealthy':
      return unhealthyDebtSf(market, obligation, debt);
    case 'maturity':
      return debt.amountSf;
    case 'term':
      return endedTermSf(market, debt, reason.secondsSince);
  }
}

function checkLiquidatable(
  { clock, obligation }: LiquidationContext,
  repay: ReserveState,
  withdraw: ReserveState,
  amount: bigint,
): void {
  ensure(amount !== 0n, LENDING.invalidAmount);
  ensure(!isStale(repay.lastUpdate, clock, LIQUIDATION_PRICE), LENDING.reserveStale);
  ensure(!isStale(withdraw.lastUpdate, clock, LIQUIDATION_PRICE), LENDING.reserveStale);
  ensure(!isStale(obligation.lastUpdate, clock, LIQUIDATION_PRICE), LENDING.obligationStale);
  ensure(obligation.depositedValueSf !== 0n, LENDING.obligationDepositsZero);
  ensure(obligation.factoredDebtValueSf !== 0n, LENDING.obligationBorrowsZero);
}

function findDeposit({ activeDeposits }: ObligationState, { address }: ReserveState): DepositState {
  ensure(activeDeposits.length > 0, LENDING.obligationDepositsEmpty);
  const found = activeDeposits.find((each) => each.reserve === address);
  if (found === undefined) throw customError(LENDING.invalidObligationCollateral);
  return found;
}

/** Redeems as many of the seized tokens as the reserve can pay for; its withdraw queue and outflow cap do not count. */
function payOut(
  { market, clock, withdrawReserve }: LiquidationContext,
  seized: bigint,
  bonusSf: bigint,
  leastReceived: bigint,
  recount: (reserve: ReserveState) => void,
): Pick<Liquidation, 'redeemed' | 'liquidity' | 'fee'> {
  // Loaded only now: the repayment may have changed the same reserve, or its counters.
  const reserve = ReserveState.load(withdrawReserve);
  refreshReserveState(reserve, clock, market);
  const rate = exchangeRateOf(reserve);
  const redeemed = leastOf(seized, redeemableCollateral(reserve));
  recount(reserve);
  if (redeemed === 0n) {
    reserve.save();
    const isEnough = collateralToLiquidity(rate, seized) >= leastReceived;
    ensure(isEnough, LENDING.liquidationRewardTooSmall);
    return { redeemed, liquidity: 0n, fee: 0n };
  }
  const liquidity = collateralToLiquidity(rate, redeemed);
  withdrawQueued(reserve, liquidity);
  ensure(redeemed <= reserve.collateralSupply, LENDING.mathOverflow);
  reserve.collateralSupply -= redeemed;
  updateLimitTimestamps(reserve, clock);
  reserve.lastUpdate.stale = true;
  reserve.save();
  const fee = liquidationFee(liquidity, bonusSf, reserve.config.protocolLiquidationFeePct);
  ensure(liquidity - fee >= leastReceived, LENDING.liquidationRewardTooSmall);
  return { redeemed, liquidity, fee };
}
