import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import {
  FRACTION_ONE,
  fromBigScaledFraction,
  fromBps,
  fromScaledFraction,
  multiplyScaled,
  toScaledFraction,
} from '@sluice/protocol/numeric/fraction';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import type { Instant } from './moment.ts';
import { type RewardsCap, rewardsGiven } from './reserve-rewards.ts';

const FULL_BPS = 10_000;

/** One point of the borrow curve; both values are fractions. */
export interface BorrowCurvePoint {
  readonly utilization: Rational;
  /** Yearly. Per 63,072,000 slots for a reserve that accrues per slot. */
  readonly rate: Rational;
}

/** The points up to the first one at full utilization; the rest are padding. */
export function borrowCurve(config: ReserveConfig): BorrowCurvePoint[] {
  const points: BorrowCurvePoint[] = [];
  for (const { utilizationRateBps, borrowRateBps } of config.borrowRateCurve.points) {
    points.push({ utilization: fromBps(utilizationRateBps), rate: fromBps(borrowRateBps) });
    if (utilizationRateBps >= FULL_BPS) break;
  }
  return points;
}

/**
 * The curve's yearly rate at a utilization, before host rate and the scaling of displayed rates. Linear between points, flat
 * outside them; defined even for a curve that the program would reject. The program first rounds utilization to whole
 * basis points to detect an exact hit of a point; this function does not.
 */
export function curveRate(config: ReserveConfig, utilization: Rational): Rational {
  const { points } = config.borrowRateCurve;
  const u = utilization.min(ONE);
  let [x0, y0] = [0n, 0n];
  const bps = u.n * BigInt(FULL_BPS);
  let isFirst = true;
  for (const point of points) {
    const x1 = BigInt(point.utilizationRateBps);
    const y1 = BigInt(point.borrowRateBps);
    const reached = bps <= x1 * u.d;
    if (reached && (isFirst || x1 <= x0)) return Rational.of(y1, BigInt(FULL_BPS));
    if (reached) {
      const width = x1 - x0;
      const climb = (bps - x0 * u.d) * (y1 - y0);
      return Rational.of(y0 * u.d * width + climb, BigInt(FULL_BPS) * u.d * width);
    }
    isFirst = false;
    x0 = x1;
    y0 = y1;
  }
  return Rational.of(y0, BigInt(FULL_BPS));
}

/** Settings of the market that a refresh of its reserves uses. */
export type AccrualTerms = Pick<LendingMarket, 'referralFeeBps'> & RewardsCap;

/** Terms for a market that cannot be read: fees are not split, and its reserves give no rewards. */
export const NO_TERMS: AccrualTerms = { referralFeeBps: 0, reserveRewardsMaxAprBps: 0 };

/** The reserve as it is stored, at its last refresh or for an instant before it. */
export function storedReserve(account: Reserve, at: Instant = lastRefresh(account)): AccruedReserve {
  const { liquidity } = account;
  return assemble(account, at, {
    available: liquidity.totalAvailableAmount,
    rewardsAvailable: liquidity.rewardsAmountAvailable,
    borrowedSf: liquidity.borrowedAmountSf,
    protocolFeesSf: liquidity.accumulatedProtocolFeesSf,
    pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf,
    cumulativeBorrowRate: fromBigScaledFraction(liquidity.cumulativeBorrowRateBsf.value),
  });
}

/** The stamp of the last refresh. Its time is 0 when a program before klend 1.25 wrote it. */
function lastRefresh({ lastUpdate }: Reserve): Instant {
  return { slot: lastUpdate.slot, timestamp: BigInt(lastUpdate.timestamp) };
}

/** Growth of a debt over some units of time, and who gets the interest; in units of 2^-60. */
export interface InterestFactors {
  /** Growth factor of the debt, at the curve's and the host's rate together. */
  readonly growthSf: bigint;
  /** Growth factor of the debt, at the host's rate alone. */
  readonly hostGrowthSf: bigint;
  /** The protocol's part of the interest, with the referrers'. */
  readonly takeRateSf: bigint;
  /** The referrers' part of the interest. */
  readonly referralRateSf: bigint;
}

/** A stored reserve with interest; each product is rounded down to 2^-60 like in the program. */
export function withInterest(
  { account, at, cumulativeBorrowRate }: AccruedReserve,
  { growthSf, hostGrowthSf, takeRateSf, referralRateSf }: InterestFactors,
): AccruedReserve {
  const { liquidity } = account;
  const { borrowedAmountSf: debt, accumulatedProtocolFeesSf, pendingReferrerFeesSf } = liquidity;
  const newDebt = multiplyScaled(debt, growthSf);
  const hostFee = multiplyScaled(debt, hostGrowthSf) - debt;
  const interest = newDebt - debt - hostFee;
  const referrerShare = multiplyScaled(interest, referralRateSf);
  return assemble(account, at, {
    available: liquidity.totalAvailableAmount,
    rewardsAvailable: liquidity.rewardsAmountAvailable,
    borrowedSf: newDebt,
    protocolFeesSf:
      accumulatedProtocolFeesSf + hostFee + multiplyScaled(interest, takeRateSf) - referrerShare,
    pendingReferrerFeesSf: pendingReferrerFeesSf + referrerShare,
    cumulativeBorrowRate: fromScaledFraction(
      multiplyScaled(toScaledFraction(cumulativeBorrowRate), growthSf),
    ),
  });
}

/** A reserve after interest, with the rewards that the same refresh adds to its supply. */
export function withRewards(accrued: AccruedReserve, cap: RewardsCap, units: bigint): AccruedReserve {
  const given = rewardsGiven(accrued.account, cap, accrued.totalSupply, units);
  if (given === 0n) return accrued;
  const totalSupply = accrued.totalSupply.add(Rational.of(given));
  return {
    ...accrued,
    available: accrued.available + given,
    rewardsAvailable: accrued.rewardsAvailable - given,
    totalSupply,
    utilization: accrued.borrowed.div(totalSupply),
  };
}

interface Accrual {
  readonly available: bigint;
  readonly rewardsAvailable: bigint;
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  readonly pendingReferrerFeesSf: bigint;
  readonly cumulativeBorrowRate: Rational;
}

function assemble(account: Reserve, at: Instant, accrual: Accrual): AccruedReserve {
  const { accumulatedReferrerFeesSf } = account.liquidity;
  const { available, rewardsAvailable, borrowedSf, protocolFeesSf, pendingReferrerFeesSf } = accrual;
  const net =
    available * FRACTION_ONE +
    borrowedSf -
    protocolFeesSf -
    accumulatedReferrerFeesSf -
    pendingReferrerFeesSf;
  const supplySf = net > 0n ? net : 0n;
  return {
    account,
    at,
    available,
    rewardsAvailable,
    borrowed: fromScaledFraction(borrowedSf),
    protocolFees: fromScaledFraction(protocolFeesSf),
    referrerFees: fromScaledFraction(accumulatedReferrerFeesSf),
    pendingReferrerFees: fromScaledFraction(pendingReferrerFeesSf),
    totalSupply: fromScaledFraction(supplySf),
    cumulativeBorrowRate: accrual.cumulativeBorrowRate,
    utilization: supplySf === 0n ? ZERO : Rational.of(borrowedSf, supplySf),
  };
}
