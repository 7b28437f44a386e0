import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { leastWhereBySteps } from '@sluice/protocol/numeric/integer';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { collateralTerms } from '../../domain/elevation.ts';
import { healthFactor } from '../../domain/health.ts';
import type { Instant, Moment } from '../../domain/moment.ts';
import { activeBorrows, activeDeposits, type PricedReserves } from '../../domain/obligation.ts';
import { type RefreshedObligation, refreshedObligation } from '../../domain/refreshed-obligation.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { BuildWarning, WarningCode } from '../warnings.ts';
import type { LendingState } from './accounts.ts';
import {
  depositEffect,
  type LendingEffect,
  presentObligation,
  repayEffect,
  withdrawEffect,
} from './effects.ts';
import { type LendingOutcome, lendingOutcome } from './preview.ts';
import { collateralFor } from './terms.ts';
import { programRefusals } from './warnings.ts';

/** Why no amount reaches a health, or that the whole position is withdrawn. */
export type HealthTargetLimit =
  | 'NO_DEBT'
  | 'ALREADY_REACHED'
  | 'NOTHING_TO_SPARE'
  | 'NO_POSITION'
  | 'POSITION'
  | 'NOT_COLLATERAL'
  | 'PRICE_UNKNOWN'
  | 'PRICE_REFUSED'
  | 'DEPOSIT_LIMIT'
  | 'LIQUIDITY'
  | 'OUTFLOW'
  | 'BORROW_LIMIT'
  | 'MINIMUM_VALUE'
  | 'NOT_ALLOWED';

/** The amount that brings an obligation to a health. */
export interface HealthTarget {
  /** Base units; null when none does. */
  readonly amount: bigint | null;
  /** Base units that the wallet pays on top of a repayment before the end of the debt's term. */
  readonly penalty: bigint;
  /** Afterwards. Null without an amount, and when no debt remains. */
  readonly healthFactor: Rational | null;
  /** Null when nothing limits the amount. */
  readonly limit: HealthTargetLimit | null;
}

/** A deposit, repayment or withdrawal. */
export interface HealthState extends LendingState {
  readonly request: LendingState['request'] & { readonly action: 'deposit' | 'repay' | 'withdraw' };
}

/** The limit that a refusal stands for. */
export const limitOf = ({ code }: BuildWarning): HealthTargetLimit => LIMIT_OF_REFUSAL[code] ?? 'NOT_ALLOWED';

const LIMIT_OF_REFUSAL: Partial<Record<WarningCode, HealthTargetLimit>> = {
  DEPOSIT_LIMIT_EXCEEDED: 'DEPOSIT_LIMIT',
  LIQUIDITY_TOO_LOW: 'LIQUIDITY',
  OUTFLOW_CAP_EXCEEDED: 'OUTFLOW',
  COLLATERAL_TOO_LOW: 'BORROW_LIMIT',
  LTV_WOULD_RISE: 'BORROW_LIMIT',
  AMOUNT_BELOW_MINIMUM: 'MINIMUM_VALUE',
  PRICE_REFUSED: 'PRICE_REFUSED',
};

const unreachable = (limit: HealthTargetLimit): HealthTarget => ({
  amount: null,
  penalty: 0n,
  healthFactor: null,
  limit,
});

/**
 * The smallest deposit or repayment that brings an obligation to at least `target`, or the largest withdrawal that keeps
 * it there, in the slot of the moment. Health is what the program compares after the action: the liquidation limit over
 * the factored debt, both in its fixed point. It never falls when more is deposited or repaid, and never rises when more is
 * withdrawn, so bisection finds the exact base unit. Yields before each evaluation.
 */
export function* healthTarget(
  state: HealthState,
  target: Rational,
  moment: Moment,
): Generator<void, HealthTarget> {
  const { action } = state.request;
  const obligation = presentObligation(state);
  if (activeBorrows(obligation).length === 0) return unreachable('NO_DEBT');
  yield;
  const { before, refreshed } = lendingOutcome(state, 1n, moment);
  if (refreshed === null || !before.reserves(state.request.reserve)?.priceUsd)
    return unreachable('PRICE_UNKNOWN');
  if (action !== 'deposit' && !hasPosition(state)) return unreachable('NO_POSITION');
  if (action === 'deposit' && !isCollateral(state)) return unreachable('NOT_COLLATERAL');
  const reaches = (amount: bigint) =>
    isAtLeast(amount === 0n ? refreshed : obligationAfter(state, before, amount, moment), target);
  if (action === 'withdraw') return yield* largestWithdrawal(state, before.position.ceil(), reaches, moment);
  yield;
  if (reaches(0n)) return unreachable('ALREADY_REACHED');
  const most = action === 'repay' ? before.position.ceil() : U64_MAX - 1n;
  const amount = yield* leastWhereBySteps(1n, most, reaches);
  if (amount === null) return unreachable(action === 'repay' ? 'POSITION' : 'DEPOSIT_LIMIT');
  yield;
  const least = judged(state, amount, moment);
  // A debt that would be too small must be repaid in full.
  const isDust = action === 'repay' && least.limit === 'MINIMUM_VALUE';
  return isDust ? judged(state, most, moment) : least;
}

function* largestWithdrawal(
  state: HealthState,
  whole: bigint,
  reaches: (amount: bigint) => boolean,
  moment: Moment,
): Generator<void, HealthTarget> {
  const tooMuch = yield* leastWhereBySteps(1n, whole, (amount) => !reaches(amount));
  yield;
  if (tooMuch === 1n) return unreachable('NOTHING_TO_SPARE');
  if (tooMuch !== null) return judged(state, tooMuch - 1n, moment);
  const all = judged(state, whole, moment);
  return all.amount === null ? all : { ...all, limit: 'POSITION' };
}

/** The target with this amount, or the reason why the program would reject it. */
function judged(state: HealthState, amount: bigint, moment: Moment): HealthTarget {
  const outcome = lendingOutcome(state, amount, moment);
  const [refusal] = programRefusals(state, false, outcome, moment);
  if (refusal !== undefined) return unreachable(limitOf(refusal));
  const { stats } = outcome.after;
  return { amount, penalty: outcome.effect.penalty, healthFactor: stats && healthFactor(stats), limit: null };
}

/** Without debt every health is reached. */
export function isAtLeast(obligation: RefreshedObligation | null, { n, d }: Rational): boolean {
  return obligation !== null && obligation.unhealthySf * d >= obligation.factoredSf * n;
}

/** The obligation after the action, as a refresh in the same slot stores it. */
function obligationAfter(
  state: HealthState,
  before: LendingOutcome['before'],
  amount: bigint,
  at: Moment,
): RefreshedObligation | null {
  const effect = effectOf(state, before, amount, at);
  const accrued = refreshReserve(effect.reserve, at, state.market);
  const acted = state.request.reserve;
  const priceUsd = before.reserves(acted)?.priceUsd ?? null;
  const reserves: PricedReserves = (address) =>
    address === acted ? { accrued, priceUsd } : before.reserves(address);
  return refreshedObligation(effect.obligation, state.market, reserves);
}

function effectOf(
  state: HealthState,
  before: LendingOutcome['before'],
  amount: bigint,
  at: Instant,
): LendingEffect {
  switch (state.request.action) {
    case 'deposit':
      return depositEffect(state, amount, at);
    case 'repay':
      return repayEffect(state, amount, at);
    case 'withdraw':
      return withdrawEffect(state, collateralFor(before.reserve, amount), at);
  }
}

function hasPosition(state: HealthState): boolean {
  const { request } = state;
  const obligation = presentObligation(state);
  return request.action === 'repay'
    ? activeBorrows(obligation).some(({ borrowReserve }) => borrowReserve === request.reserve)
    : activeDeposits(obligation).some(({ depositReserve }) => depositReserve === request.reserve);
}

/** Whether a deposit raises the liquidation limit. */
function isCollateral(state: HealthState): boolean {
  const { elevationGroup } = presentObligation(state);
  return !collateralTerms(state.market, state.reserve, elevationGroup).liquidationLtv.isZero;
}
