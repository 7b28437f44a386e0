import { accrualFactor } from '../numeric/compounding.ts';
import {
  FRACTION_ONE,
  fromBigScaledFraction,
  fromBps,
  fromPercent,
  fromScaledFraction,
} from '../numeric/fraction.ts';
import { ONE, Rational, ZERO } from '../numeric/rational.ts';
import type { Reserve } from '../programs/klend/reserve.ts';
import type { ReserveConfig } from '../programs/klend/reserve-config.ts';
import { total } from './arithmetic.ts';

const FULL_BPS = 10_000;

/**
 * A reserve brought up to a slot: what the account would hold if the program refreshed it there. Made once per reserve
 * and View, then handed to every function that needs it. Amounts are base units of the liquidity mint in steps of
 * 2^-60, as the program stores them; the stored numbers themselves when no slot has passed.
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
  /** Available and borrowed less all fees: what belongs to suppliers. Never negative. */
  readonly totalSupply: Rational;
  /** Grows with every debt of the reserve; starts at 1. */
  readonly cumulativeBorrowRate: Rational;
  /** Borrowed / total supply; 0 without supply. Above 1 when fees have eaten into it. */
  readonly utilization: Rational;
}

/** One knot of the borrow curve, both as fractions. */
export interface BorrowCurvePoint {
  readonly utilization: Rational;
  /** Yearly, per slots of 500 ms. */
  readonly rate: Rational;
}

/** The knots up to the first one at full utilisation; what follows it only fills the account. */
export function borrowCurve(config: ReserveConfig): BorrowCurvePoint[] {
  const knots: BorrowCurvePoint[] = [];
  for (const { utilizationRateBps, borrowRateBps } of config.borrowRateCurve.points) {
    knots.push({ utilization: fromBps(utilizationRateBps), rate: fromBps(borrowRateBps) });
    if (utilizationRateBps >= FULL_BPS) break;
  }
  return knots;
}

/**
 * The yearly rate that the curve gives at a utilisation, before host rate and slot-duration scaling. Linear between
 * knots, flat outside them; a curve that the program would refuse still gives a number. The program rounds utilisation
 * to whole basis points to see whether it hits a knot; this does not.
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
 * The reserve at a slot, by the program's own accrual: the plain curve rate and the host rate compound per slot, at the
 * utilisation of the last refresh, without the slot-duration scaling that displayed rates have. A slot before the last
 * refresh gives the stored state.
 *
 * @param referralFeeBps of the market; it only divides the fees, total supply does not depend on it.
 */
export function accrueReserve(account: Reserve, slot: bigint, referralFeeBps: number): AccruedReserve {
  const { liquidity, config, lastUpdate } = account;
  const stored = {
    borrowedSf: liquidity.borrowedAmountSf,
    protocolFeesSf: liquidity.accumulatedProtocolFeesSf,
    pendingReferrerFeesSf: liquidity.pendingReferrerFeesSf,
    cumulativeBorrowRate: fromBigScaledFraction(liquidity.cumulativeBorrowRateBsf.value),
  };
  const elapsed = slot - lastUpdate.slot;
  if (elapsed <= 0n) return assemble(account, slot, stored);

  const utilization = assemble(account, slot, stored).utilization;
  const hostRate = fromBps(config.hostFixedInterestRateBps);
  const growth = accrualFactor(total([curveRate(config, utilization), hostRate]), elapsed);
  const hostGrowth = accrualFactor(hostRate, elapsed);
  const debt = stored.borrowedSf;
  const newDebt = scaled(debt, growth);
  const hostFee = scaled(debt, hostGrowth) - debt;
  const interest = newDebt - debt - hostFee;
  const protocolTake = fromPercent(config.protocolTakeRatePct);
  const protocolFee = scaled(interest, protocolTake);
  const referrerShare = scaled(interest, protocolTake.mul(fromBps(referralFeeBps)));
  return assemble(account, slot, {
    borrowedSf: newDebt,
    protocolFeesSf: stored.protocolFeesSf + hostFee + protocolFee - referrerShare,
    pendingReferrerFeesSf: stored.pendingReferrerFeesSf + referrerShare,
    cumulativeBorrowRate: Rational.of(scaled(stored.cumulativeBorrowRate.n, growth), FRACTION_ONE),
  });
}

/** A scaled-fraction field times a factor, rounded down to 2^-60 as the program stores it. */
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
