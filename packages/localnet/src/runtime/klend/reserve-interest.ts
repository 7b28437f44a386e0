import type { ReserveConfig } from '@sluice/protocol/klend/reserve-config';
import { aborted } from '../anchor.ts';
import { customError } from '../instruction-error.ts';
import type { Clock } from '../program.ts';
import {
  addSf,
  bpsSf,
  divSf,
  mulSf,
  ONE_SF,
  overSf,
  percentSf,
  roundSf,
  subSf,
  timesSf,
} from './fraction.ts';
import { type LastUpdateState, secondsElapsed, slotsElapsed } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';

type CurvePoints = ReserveConfig['borrowRateCurve']['points'];

export function utilizationSf(reserve: ReserveState): bigint {
  const supply = reserve.totalSupplySf;
  return supply === 0n ? 0n : divSf(reserve.borrowedSf, supply);
}

/** The yearly rate of the curve. The segment is the first that contains the utilization in whole basis points. */
export function curveRateSf(points: CurvePoints, utilization: bigint): bigint {
  const clamped = utilization > ONE_SF ? ONE_SF : utilization;
  const bps = Number(roundSf(mulSf(clamped, 10_000n * ONE_SF)));
  const index = points.findIndex((point, i) => {
    const next = points[i + 1];
    return next !== undefined && bps >= point.utilizationRateBps && bps <= next.utilizationRateBps;
  });
  const [start, end] = [points[index], points[index + 1]];
  if (start === undefined || end === undefined) throw aborted();
  if (bps === start.utilizationRateBps) return bpsSf(start.borrowRateBps);
  if (bps === end.utilizationRateBps) return bpsSf(end.borrowRateBps);
  const rise = end.borrowRateBps - start.borrowRateBps;
  if (rise < 0) throw customError(LENDING.invalidBorrowRateCurvePoint);
  const offset = bpsSf(start.utilizationRateBps);
  if (clamped < offset) throw customError(LENDING.invalidUtilizationRate);
  const run = BigInt(end.utilizationRateBps - start.utilizationRateBps);
  return addSf(overSf(timesSf(clamped - offset, BigInt(rise)), run), bpsSf(start.borrowRateBps));
}

/** A reserve's unit of time: how many have passed since a refresh, how many a year has, how many some seconds have. */
export interface AccrualUnit {
  readonly perYear: bigint;
  readonly perSecond: bigint;
  elapsed(update: LastUpdateState, clock: Clock): bigint;
}

const SLOT: AccrualUnit = { perYear: 63_072_000n, perSecond: 2n, elapsed: slotsElapsed };
const SECOND: AccrualUnit = { perYear: 31_536_000n, perSecond: 1n, elapsed: secondsElapsed };

/** The program panics for any other basis. */
export function accrualUnit({ interestRateBasis }: ReserveConfig): AccrualUnit {
  if (interestRateBasis === 0) return SLOT;
  if (interestRateBasis === 1) return SECOND;
  throw aborted();
}

/** Growth over units of time at a yearly rate: a power up to four, then three terms of the binomial series. */
export function compoundedSf(yearlyRate: bigint, units: bigint, { perYear }: AccrualUnit): bigint {
  const base = overSf(yearlyRate, perYear);
  const one = addSf(ONE_SF, base);
  if (units === 0n) return ONE_SF;
  if (units === 1n) return one;
  const squared = mulSf(one, one);
  if (units === 2n) return squared;
  if (units === 3n) return mulSf(squared, one);
  if (units === 4n) return mulSf(squared, squared);
  const first = timesSf(base, units);
  const second = overSf(timesSf(mulSf(first, base), units - 1n), 2n);
  const third = overSf(timesSf(mulSf(second, base), units - 2n), 3n);
  return addSf(addSf(addSf(ONE_SF, first), second), third);
}

/** Adds the interest of some units of time to debt, fees and cumulative rate. */
export function accrueInterest(reserve: ReserveState, units: bigint, referralFeeBps: number): void {
  if (units === 0n) return;
  const unit = accrualUnit(reserve.config);
  const { borrowRateCurve, hostFixedInterestRateBps, protocolTakeRatePct } = reserve.config;
  const hostRate = bpsSf(hostFixedInterestRateBps);
  const rate = curveRateSf(borrowRateCurve.points, utilizationSf(reserve));
  const growth = compoundedSf(addSf(rate, hostRate), units, unit);
  const debt = reserve.borrowedSf;
  const newDebt = mulSf(debt, growth);
  const hostFee = subSf(mulSf(debt, compoundedSf(hostRate, units, unit)), debt);
  const variable = subSf(subSf(newDebt, debt), hostFee);
  const takeRate = percentSf(protocolTakeRatePct);
  const referralRate = mulSf(takeRate, bpsSf(referralFeeBps));
  const maxReferrerFees = mulSf(variable, referralRate);
  const protocolFees = addSf(addSf(reserve.protocolFeesSf, hostFee), mulSf(variable, takeRate));
  reserve.cumulativeBorrowRate = (reserve.cumulativeBorrowRate * growth) >> 60n;
  reserve.pendingReferrerFeesSf = addSf(reserve.pendingReferrerFeesSf, maxReferrerFees);
  reserve.protocolFeesSf = subSf(protocolFees, maxReferrerFees);
  reserve.borrowedSf = newDebt;
  reserve.absoluteReferralRateSf = referralRate;
}
