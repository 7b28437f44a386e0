import { leastWhereBySteps } from '@sluice/protocol/numeric/integer';
import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { unitsPerToken } from '../../domain/arithmetic.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Moment } from '../../domain/moment.ts';
import { activeBorrows } from '../../domain/obligation.ts';
import type { LendingState } from '../lending/accounts.ts';
import { leftBy } from '../lending/combined-half.ts';
import { presentObligation, repayEffect } from '../lending/effects.ts';
import { type HealthTargetLimit, isAtLeast, limitOf } from '../lending/health-target.ts';
import { type LendingSide, lendingStart } from '../lending/preview.ts';
import { programRefusals } from '../lending/warnings.ts';
import type { BuildWarning } from '../warnings.ts';
import { type BothHalves, type CombinedAmounts, combination, needsCombination } from './combination.ts';
import { combinationRefusals } from './refusals.ts';

/** The repayment out of collateral that brings an obligation to a health. */
export interface CollateralTarget {
  /** Base units of the debt; null when none does. */
  readonly repay: bigint | null;
  /** Base units of the collateral to withdraw and sell for it; null without a repayment. */
  readonly withdraw: bigint | null;
  /** Base units on top of the repayment, which the collateral pays, too. */
  readonly penalty: bigint;
  /** Afterwards. Null without a repayment, and when no debt remains. */
  readonly healthFactor: Rational | null;
  /** Null when nothing limits the repayment. */
  readonly limit: HealthTargetLimit | null;
}

type Halves = BothHalves<LendingState>;

const FULL_BPS = 10_000n;

const unreachable = (limit: HealthTargetLimit): CollateralTarget => ({
  repay: null,
  withdraw: null,
  penalty: 0n,
  healthFactor: null,
  limit,
});

/**
 * The smallest repayment out of collateral that brings an obligation to at least `target`, in the slot of the moment. The
 * collateral is sold at the prices of the oracle less `lossBps`. Along growing repayments the health either only rises or
 * only falls, so bisection finds the exact base unit. Yields before each evaluation.
 */
export function* collateralTarget(
  halves: Halves,
  target: Rational,
  lossBps: number,
  moment: Moment,
): Generator<void, CollateralTarget> {
  if (activeBorrows(presentObligation(halves.repay)).length === 0) return unreachable('NO_DEBT');
  yield;
  const { before, refreshed } = lendingStart(halves.repay, moment);
  const held = lendingStart(halves.withdraw, moment).before.position.floor();
  const owed = before.position.ceil();
  if (owed === 0n || held === 0n) return unreachable('NO_POSITION');
  const rate = exchangeRate(halves, before, lossBps);
  if (refreshed === null || rate === null) return unreachable('PRICE_UNKNOWN');
  if (isAtLeast(refreshed, target)) return unreachable('ALREADY_REACHED');
  const amountsOf = (repay: bigint): CombinedAmounts => {
    const paid = repayEffect(halves.repay, repay, moment).moved;
    return { repay, withdraw: rate.mul(integer(paid)).ceil() };
  };
  const exceeds = (repay: bigint) => sold(amountsOf(repay)) > held;
  const reaches = (repay: bigint) =>
    isAtLeast(leftBy(combination(halves, amountsOf(repay), moment).withdraw), target);
  const tooMuch = yield* leastWhereBySteps(1n, owed, exceeds);
  const repay = yield* leastWhereBySteps(1n, tooMuch === null ? owed : tooMuch - 1n, reaches);
  if (repay === null) return unreachable('POSITION');
  yield;
  const least = judged(halves, amountsOf(repay), moment);
  // A debt that would be too small must be repaid in full.
  const isDust = least.limit === 'MINIMUM_VALUE' && tooMuch === null;
  return isDust ? judged(halves, amountsOf(owed), moment) : least;
}

const sold = ({ withdraw }: CombinedAmounts): bigint => (withdraw === 'all' ? 0n : withdraw);

/** Base units of collateral for one of the debt's token; null when a price is unknown. */
function exchangeRate(
  { repay, withdraw }: Halves,
  { reserves }: LendingSide,
  lossBps: number,
): Rational | null {
  const [debt, collateral] = [repay, withdraw].map(({ request, reserve }) => {
    const priceUsd = reserves(request.reserve)?.priceUsd;
    return priceUsd?.div(integer(unitsPerToken(reserve.liquidity.mintDecimals)));
  });
  if (!debt || !collateral || collateral.isZero) return null;
  return debt.div(collateral).mul(Rational.of(FULL_BPS, FULL_BPS - BigInt(lossBps)));
}

/** The target with these amounts, or the reason why the program would reject them. */
function judged(halves: Halves, amounts: CombinedAmounts, moment: Moment): CollateralTarget {
  const done = combination(halves, amounts, moment);
  const [refusal] = refusalsOf(halves, amounts, moment);
  if (refusal !== undefined) return unreachable(limitOf(refusal));
  const { repay, withdraw } = done;
  const { stats } = withdraw.outcome.after;
  return {
    repay: repay.outcome.amount,
    withdraw: sold(amounts),
    penalty: repay.outcome.effect.penalty,
    healthFactor: stats && healthFactor(stats),
    limit: null,
  };
}

/** Those of two instructions, or of the one that the builders take where two would be refused. */
function refusalsOf(halves: Halves, amounts: CombinedAmounts, moment: Moment): BuildWarning[] {
  if (needsCombination(halves, amounts, moment)) {
    return combinationRefusals(combination(halves, amounts, moment), moment);
  }
  const { repay, withdraw } = combination(halves, amounts, moment, 'MAX_LTV');
  return [repay, withdraw].flatMap(({ accounts, outcome }) =>
    programRefusals(accounts, false, outcome, moment),
  );
}
