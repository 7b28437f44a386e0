import { accrualFactor } from '../numeric/compounding.ts';
import {
  FRACTION_ONE,
  fromBigScaledFraction,
  fromBps,
  fromPercent,
  fromScaledFraction,
  toScaledFraction,
} from '../numeric/fraction.ts';
import { ONE, Rational, ZERO } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import { total } from './arithmetic.ts';

const FULL_BPS = 10_000;

/**
 * A reserve accrued to a slot: the state after a refresh there. Computed once per reserve and View, then passed to every
 * function that needs it. Amounts are base units of the liquidity mint in steps of 2^-60, the program's precision; they
 * equal the stored ones when no slot has passed.
 */
export interface AccruedReserve {
  /** The decoded account, for its settings. */
  readonly account: Reserve;
  readonly slot: bigint;
  /** In the supply vault, not lent out. */
  readonly available: Rational;
  readonly borrowed: Rational;
  readonly protocolFees: Rational;
  readonly referrerFees: Rational;
  readonly pendingReferrerFees: Rational;
  /** Available plus borrowed minus all fees: the suppliers' assets. Never negative. */
  readonly totalSupply: Rational;
  /** Growth of a debt since the reserve began; starts at 1. */
  readonly cumulativeBorrowRate: Rational;
  /** Borrowed / total supply; 0 without supply. Can exceed 1, because fees reduce the supply. */
  readonly utilization: Rational;
}

/** One point of the borrow curve; both values are fractions. */
export interface BorrowCurvePoint {
  readonly utilization: Rational;
  /** Yearly, assuming slots of 500 ms. */
  readonly rate: Rational;
}

/** The points up to the first one at full utilisation; the rest are padding. */
export function borrowCurve(config: ReserveConfig): BorrowCurvePoint[] {
  const points: BorrowCurvePoint[] = [];
  for (const { utilizationRateBps, borrowRateBps } of config.borrowRateCurve.points) {
    points.push({ utilization: fromBps(utilizationRateBps), rate: fromBps(borrowRateBps) });
    if (utilizationRateBps >= FULL_BPS) break;
  }
  return points;
}

/**
 * The curve's yearly rate at a utilisation, before host rate and slot-duration scaling. Linear between points, flat
 * outside them; defined even for a curve that the program would reject. The program first rounds utilisation to whole
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

/**
 * The reserve at a slot, by the program's accrual: curve rate plus host rate, compounded per slot at the utilisation of
 * the last refresh, without the slot-duration scaling of displayed rates. A slot before the last refresh returns the
 * stored state. The factors are exact; `refreshReserve` rounds them as the program does.
 *
 * @param referralFeeBps of the market. Only splits the fees; total supply does not depend on it.
 */
export function accrueReserve(account: Reserve, slot: bigint, referralFeeBps: number): AccruedReserve {
  const { config, lastUpdate } = account;
  const stored = storedReserve(account, slot);
  const elapsed = slot - lastUpdate.slot;
  if (elapsed <= 0n) return stored;
  const takeRate = fromPercent(config.protocolTakeRatePct);
  return withInterest(stored, {
    growth: debtGrowth(stored, elapsed),
    hostGrowth: accrualFactor(fromBps(config.hostFixedInterestRateBps), elapsed),
    takeRate,
    referralRate: takeRate.mul(fromBps(referralFeeBps)),
  });
}

/** The reserve as it is stored, for a slot up to its last refresh. */
export function storedReserve(account: Reserve, slot: bigint): AccruedReserve {
  const { liquidity } = account;
  return assemble(account, slot, {
    borrowedSf: liquidity.borrowedAmountSf,
    protocolFeesSf: liquidity.accumulatedProtocolFeesSf,
    pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf,
    cumulativeBorrowRate: fromBigScaledFraction(liquidity.cumulativeBorrowRateBsf.value),
  });
}

/** What happens to a debt and its interest in some slots. */
export interface InterestFactors {
  /** Of the debt, at the curve's and the host's rate together. */
  readonly growth: Rational;
  /** Of the debt, at the host's rate alone. */
  readonly hostGrowth: Rational;
  /** The protocol's part of the interest, with the referrers'. */
  readonly takeRate: Rational;
  /** The referrers' part of the interest. */
  readonly referralRate: Rational;
}

/** A stored reserve with interest; each amount is rounded down to 2^-60 like in the program. */
export function withInterest(
  { account, slot, cumulativeBorrowRate }: AccruedReserve,
  { growth, hostGrowth, takeRate, referralRate }: InterestFactors,
): AccruedReserve {
  const { borrowedAmountSf: debt, accumulatedProtocolFeesSf, pendingReferrerFeesSf } = account.liquidity;
  const newDebt = scaled(debt, growth);
  const hostFee = scaled(debt, hostGrowth) - debt;
  const interest = newDebt - debt - hostFee;
  const referrerShare = scaled(interest, referralRate);
  return assemble(account, slot, {
    borrowedSf: newDebt,
    protocolFeesSf: accumulatedProtocolFeesSf + hostFee + scaled(interest, takeRate) - referrerShare,
    pendingReferrerFeesSf: pendingReferrerFeesSf + referrerShare,
    cumulativeBorrowRate: fromScaledFraction(scaled(toScaledFraction(cumulativeBorrowRate), growth)),
  });
}

/** Growth factor of a debt over the next `slots`, at the rate of the current utilisation. */
export function debtGrowth(
  { account: { config }, utilization }: Pick<AccruedReserve, 'account' | 'utilization'>,
  slots: bigint,
): Rational {
  const hostRate = fromBps(config.hostFixedInterestRateBps);
  return accrualFactor(total([curveRate(config, utilization), hostRate]), slots);
}

/** A scaled-fraction field times a factor, rounded down to 2^-60 like the program. */
function scaled(sf: bigint, factor: Rational): bigint {
  return (sf * factor.n) / factor.d;
}

interface Accrual {
  readonly borrowedSf: bigint;
  readonly protocolFeesSf: bigint;
  readonly pendingReferrerFeesSf: bigint;
  readonly cumulativeBorrowRate: Rational;
}

function assemble(account: Reserve, slot: bigint, accrual: Accrual): AccruedReserve {
  const { totalAvailableAmount, accumulatedReferrerFeesSf } = account.liquidity;
  const { borrowedSf, protocolFeesSf, pendingReferrerFeesSf, cumulativeBorrowRate } = accrual;
  const net =
    totalAvailableAmount * FRACTION_ONE +
    borrowedSf -
    protocolFeesSf -
    accumulatedReferrerFeesSf -
    pendingReferrerFeesSf;
  const supplySf = net > 0n ? net : 0n;
  return {
    account,
    slot,
    available: Rational.of(totalAvailableAmount),
    borrowed: fromScaledFraction(borrowedSf),
    protocolFees: fromScaledFraction(protocolFeesSf),
    referrerFees: fromScaledFraction(accumulatedReferrerFeesSf),
    pendingReferrerFees: fromScaledFraction(pendingReferrerFeesSf),
    totalSupply: fromScaledFraction(supplySf),
    cumulativeBorrowRate,
    utilization: supplySf === 0n ? ZERO : Rational.of(borrowedSf, supplySf),
  };
}
