import { SLOTS_PER_YEAR } from '../../../numeric/compounding.ts';
import type { ReserveConfig } from '../../../programs/klend/reserve-config.ts';
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
import { slotsElapsed } from './last-update.ts';
import { LENDING } from './lending-errors.ts';
import type { ReserveState } from './reserve-state.ts';

type CurvePoints = ReserveConfig['borrowRateCurve']['points'];

export function utilisationSf(reserve: ReserveState): bigint {
  const supply = reserve.totalSupplySf;
  return supply === 0n ? 0n : divSf(reserve.borrowedSf, supply);
}

/** The yearly rate of the curve. The segment is the first that contains the utilisation in whole basis points. */
export function curveRateSf(points: CurvePoints, utilisation: bigint): bigint {
  const clamped = utilisation > ONE_SF ? ONE_SF : utilisation;
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

/** Growth over `slots` at a yearly rate: a power up to four slots, then three terms of the binomial series. */
export function compoundedSf(yearlyRate: bigint, slots: bigint): bigint {
  const base = overSf(yearlyRate, SLOTS_PER_YEAR);
  const one = addSf(ONE_SF, base);
  if (slots === 0n) return ONE_SF;
  if (slots === 1n) return one;
  const squared = mulSf(one, one);
  if (slots === 2n) return squared;
  if (slots === 3n) return mulSf(squared, one);
  if (slots === 4n) return mulSf(squared, squared);
  const base2 = mulSf(base, base);
  const base3 = mulSf(base2, base);
  const second = timesSf(timesSf(base2, slots), slots - 1n) / 2n;
  const third = timesSf(timesSf(timesSf(base3, slots), slots - 1n), slots - 2n) / 6n;
  return addSf(addSf(addSf(ONE_SF, timesSf(base, slots)), second), third);
}

/** Adds the interest since the last refresh to debt, fees and cumulative rate. */
export function accrueInterest(reserve: ReserveState, clock: Clock, referralFeeBps: number): void {
  const slots = slotsElapsed(reserve.lastUpdate, clock);
  if (slots === 0n) return;
  const { borrowRateCurve, hostFixedInterestRateBps, protocolTakeRatePct } = reserve.config;
  const hostRate = bpsSf(hostFixedInterestRateBps);
  const rate = curveRateSf(borrowRateCurve.points, utilisationSf(reserve));
  const growth = compoundedSf(addSf(rate, hostRate), slots);
  const debt = reserve.borrowedSf;
  const newDebt = mulSf(debt, growth);
  const hostFee = subSf(mulSf(debt, compoundedSf(hostRate, slots)), debt);
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
