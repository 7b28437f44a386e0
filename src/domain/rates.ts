import { apyDaily, apyPerSlot, SLOTS_PER_YEAR } from '../numeric/compounding.ts';
import { roundToPublished } from '../numeric/decimal.ts';
import { fromBps, fromPercent } from '../numeric/fraction.ts';
import { ONE, Rational, ZERO } from '../numeric/rational.ts';
import { type AccruedReserve, curveRate } from './interest.ts';
import type { Moment } from './moment.ts';

/** The length of slot for which the curve is defined. */
const NOMINAL_SLOT_MS = Rational.of(500n);
const TOTAL_LOSS = ONE.neg();
/**
 * A rate above 50 000 % comes from a damaged account or from a reward on dust. It is compounded as if it were this: the
 * yield is beyond use either way, and stays a number that can be written (10^217) and fits a double.
 */
const MAX_APR = Rational.of(500n);

/**
 * How much more interest than the curve says a year brings because real slots are shorter than 500 ms: about 1.25.
 * For displayed rates only; accrual never uses it. 1 when no duration is known.
 */
export function slotAdjustment(moment: Moment): Rational {
  const { slotDurationMs } = moment;
  return slotDurationMs.n > 0n ? NOMINAL_SLOT_MS.div(slotDurationMs) : ONE;
}

const RATES = Symbol('rates');

/** What every vault that has invested in a reserve asks for again. */
interface Rates {
  readonly moment: Moment;
  variableRate?: Rational;
  supplyApr?: Rational;
}

/** They lie on the reserve itself and end with it: there is another one in every View. */
function ratesOf(accrued: AccruedReserve & { [RATES]?: Rates }, moment: Moment): Rates {
  const known = accrued[RATES];
  if (known?.moment === moment) return known;
  const rates: Rates = { moment };
  accrued[RATES] = rates;
  return rates;
}

function variableRate(accrued: AccruedReserve, moment: Moment): Rational {
  const rates = ratesOf(accrued, moment);
  rates.variableRate ??= computeVariableRate(accrued, moment);
  return rates.variableRate;
}

/** The curve's yearly rate now, scaled to real time; a fixed-term reserve pays its first knot at any utilisation. */
function computeVariableRate({ account, utilization }: AccruedReserve, moment: Moment): Rational {
  const { config } = account;
  const first = config.borrowRateCurve.points[0];
  const rate =
    config.debtTermSeconds !== 0n && first !== undefined
      ? fromBps(first.borrowRateBps)
      : curveRate(config, utilization);
  return rate.mul(slotAdjustment(moment));
}

/**
 * Yearly rate that borrowers pay, not compounded: curve and host rate. A published number: rounded to 30 places here,
 * so that everything computed from it agrees with what a reader of it computes.
 */
export function borrowApr(accrued: AccruedReserve, moment: Moment): Rational {
  const hostRate = fromBps(accrued.account.config.hostFixedInterestRateBps).mul(slotAdjustment(moment));
  return roundToPublished(variableRate(accrued, moment).add(hostRate));
}

/**
 * Yearly rate that suppliers earn, not compounded: utilisation x curve rate, less the protocol's take. The host rate is
 * not theirs. A published number, rounded to 30 places.
 */
export function supplyApr(accrued: AccruedReserve, moment: Moment): Rational {
  const rates = ratesOf(accrued, moment);
  rates.supplyApr ??= computeSupplyApr(accrued, moment);
  return rates.supplyApr;
}

function computeSupplyApr(accrued: AccruedReserve, moment: Moment): Rational {
  const kept = ONE.sub(fromPercent(accrued.account.config.protocolTakeRatePct));
  return roundToPublished(accrued.utilization.mul(variableRate(accrued, moment)).mul(kept));
}

/** Interest of a year at a lending rate, compounded every slot. A rate that eats everything gives -1. */
export function lendingApy(apr: Rational): Rational {
  if (apr.isZero) return ZERO;
  return apr.n <= -SLOTS_PER_YEAR * apr.d ? TOTAL_LOSS : apyPerSlot(apr.min(MAX_APR));
}

/** Interest of a year at a reward rate, compounded every day. A rate that eats everything gives -1. */
export function rewardApy(apr: Rational): Rational {
  if (apr.isZero) return ZERO;
  return apr.n <= -365n * apr.d ? TOTAL_LOSS : apyDaily(apr.min(MAX_APR));
}

/** What borrowers pay over a year, compounded. */
export function borrowApy(accrued: AccruedReserve, moment: Moment): Rational {
  return lendingApy(borrowApr(accrued, moment));
}

/** What suppliers earn over a year, compounded. */
export function supplyApy(accrued: AccruedReserve, moment: Moment): Rational {
  return lendingApy(supplyApr(accrued, moment));
}
