import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { ensure } from '../anchor.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import {
  type CollateralTerms,
  collateralTerms,
  elevationGroupOf,
  recountInGroup,
} from './elevation-group.ts';
import { collateralToLiquiditySf, exchangeRateOf } from './exchange-rate.ts';
import {
  divSf,
  divSfUp,
  floorSf,
  leastOf,
  mulSf,
  overSf,
  percentSf,
  subSf,
  subSfToZero,
  timesSf,
  wholeSf,
} from './fraction.ts';
import { isStale, PRICE_STATUS } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import { checkMinimumValue } from './obligation-checks.ts';
import type { DepositState } from './obligation-slots.ts';
import type { ObligationState } from './obligation-state.ts';
import { marketValueSf } from './reserve-liquidity.ts';
import type { ReserveState } from './reserve-state.ts';

const ACTIVE = 0;

/** What the debt of a withdrawal must stay within: the maximum LTV, or below the liquidation threshold after a repayment. */
export type WithdrawalLimit = 'maxLtv' | 'liquidationThreshold';

/**
 * Takes collateral tokens out of an obligation and leaves it stale. The maximum u64 is as much as the debt allows. Returns the
 * tokens taken: a request for more than the deposit takes the deposit.
 */
export function withdrawCollateral(
  market: LendingMarket,
  reserve: ReserveState,
  obligation: ObligationState,
  clock: Clock,
  requested: bigint,
  limit: WithdrawalLimit = 'maxLtv',
): bigint {
  ensure(requested !== 0n, LENDING.invalidAmount);
  const hasDebt = obligation.activeBorrows.length > 0;
  const status = hasDebt ? PRICE_STATUS.all : PRICE_STATUS.none;
  ensure(!isStale(reserve.lastUpdate, clock, status), LENDING.reserveStale);
  ensure(!isStale(obligation.lastUpdate, clock, status), LENDING.obligationStale);
  const [index, deposit] = findDeposit(obligation, reserve);
  ensure(deposit.collateral !== 0n, LENDING.obligationCollateralEmpty);
  const group = elevationGroupOf(market, obligation.elevationGroup);
  if (hasDebt) ensure(group?.allowNewLoans !== 0, LENDING.elevationGroupNewLoansDisabled);
  const hasObsolete = obligation.obsoleteBorrows > 0 || obligation.obsoleteDeposits > 0;
  const isLeavingActive = hasObsolete && reserve.config.status === ACTIVE;
  ensure(!isLeavingActive, LENDING.obligationInObsoleteReserve);
  const terms = collateralTerms(reserve, group);

  const amount = hasDebt
    ? allowedByDebt(obligation, deposit, terms, requested, limit)
    : leastOf(requested, deposit.collateral);
  const isFull = amount === deposit.collateral;
  if (isFull) {
    obligation.deposits[index] = null;
    if (obligation.inGroup) recountInGroup(reserve, obligation.elevationGroup, deposit.borrowedInGroup, 0n);
  } else {
    deposit.collateral -= amount;
  }
  obligation.lastUpdate.stale = true;

  const removedSf = marketValueSf(reserve, collateralToLiquiditySf(exchangeRateOf(reserve), amount));
  // The program reads the value from the slot, which a full withdrawal has cleared.
  if (!isFull && deposit.valueSf !== 0n) checkMinimumValue(market, subSf(deposit.valueSf, removedSf));
  checkAfterWithdrawal(obligation, removedSf, terms.liquidationThresholdPct);
  return amount;
}

function findDeposit({ deposits, activeDeposits }: ObligationState, { address }: ReserveState) {
  ensure(activeDeposits.length > 0, LENDING.obligationDepositsEmpty);
  const index = deposits.findIndex((each) => each?.reserve === address);
  const deposit = deposits[index];
  if (deposit === undefined || deposit === null) throw customError(LENDING.invalidObligationCollateral);
  return [index, deposit] as const;
}

/** The amount to withdraw while in debt. Only "all" is clamped to what the limit allows. */
function allowedByDebt(
  obligation: ObligationState,
  deposit: DepositState,
  terms: CollateralTerms,
  requested: bigint,
  limit: WithdrawalLimit,
): bigint {
  ensure(obligation.depositedValueSf !== 0n, LENDING.obligationDepositsZero);
  const maxValueSf = maxWithdrawValueSf(obligation, deposit, terms, limit);
  ensure(maxValueSf !== 0n, LENDING.maximumWithdrawValueZero);
  let amount: bigint;
  if (requested === U64_MAX) {
    const ratioSf = divSf(leastOf(maxValueSf, deposit.valueSf), deposit.valueSf);
    amount = leastOf(deposit.collateral, floorSf(timesSf(ratioSf, deposit.collateral)));
  } else {
    amount = leastOf(requested, deposit.collateral);
    const ratioSf = divSfUp(wholeSf(amount), wholeSf(deposit.collateral));
    const valueSf = mulSf(deposit.valueSf, ratioSf);
    const isWithin = limit === 'maxLtv' ? valueSf <= maxValueSf : valueSf < maxValueSf;
    ensure(isWithin, LENDING.withdrawTooLarge);
  }
  ensure(amount !== 0n, LENDING.withdrawTooSmall);
  return amount;
}

function maxWithdrawValueSf(
  { allowedDebtValueSf, unhealthyDebtValueSf, factoredDebtValueSf }: ObligationState,
  deposit: DepositState,
  { ltvPct, liquidationThresholdPct }: CollateralTerms,
  limit: WithdrawalLimit,
): bigint {
  const [mostDebtSf, pct] =
    limit === 'maxLtv'
      ? [allowedDebtValueSf, ltvPct]
      : [subSfToZero(unhealthyDebtValueSf, 1n), liquidationThresholdPct];
  if (mostDebtSf <= factoredDebtValueSf) return 0n;
  // It backs no debt.
  if (pct === 0) return deposit.valueSf;
  return overSf(timesSf(mostDebtSf - factoredDebtValueSf, 100n), BigInt(pct));
}

/** The obligation still holds the values of its refresh. */
function checkAfterWithdrawal(obligation: ObligationState, removedSf: bigint, thresholdPct: number): void {
  const { factoredDebtValueSf, debtValueSf, unhealthyDebtValueSf } = obligation;
  const leftSf = subSf(obligation.depositedValueSf, removedSf);
  ensure(leftSf !== 0n || factoredDebtValueSf === 0n, LENDING.liabilitiesBiggerThanAssets);
  if (leftSf === 0n) return;
  ensure(debtValueSf < leftSf, LENDING.liabilitiesBiggerThanAssets);
  const ltvSf = divSf(factoredDebtValueSf, leftSf);
  const unhealthySf = subSfToZero(unhealthyDebtValueSf, mulSf(removedSf, percentSf(thresholdPct)));
  ensure(ltvSf === 0n || ltvSf < divSf(unhealthySf, leftSf), LENDING.worseLtvThanUnhealthyLtv);
}
