import { apyDaily, apyPerSlot, SLOTS_PER_YEAR } from '@sluice/protocol/numeric/compounding';
import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { fromBps, fromPercent } from '@sluice/protocol/numeric/fraction';
import { ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { AccruedReserve } from './accrued-reserve.ts';
import { curveRate } from './interest.ts';
import type { Moment } from './moment.ts';
import { displayScale } from './rate-basis.ts';

const TOTAL_LOSS = ONE.neg();
/**
 * Rates above 50 000 % come from a corrupt account or a reward on dust. They are capped before compounding, so the yield
 * stays printable (10^217) and fits a double.
 */
const MAX_APR = Rational.of(500n);

const RATES = Symbol('rates');

/** Cached rates of a reserve: every vault that invests in it needs them. */
interface Rates {
  readonly moment: Moment;
  variableRate?: Rational;
  supplyApr?: Rational;
}

/** Cached on the accrued reserve, which lives as long as its View. */
function ratesOf(accrued: AccruedReserve & { [RATES]?: Rates }, moment: Moment): Rates {
  const cached = accrued[RATES];
  if (cached?.moment === moment) return cached;
  const rates: Rates = { moment };
  accrued[RATES] = rates;
  return rates;
}

function variableRate(accrued: AccruedReserve, moment: Moment): Rational {
  const rates = ratesOf(accrued, moment);
  rates.variableRate ??= computeVariableRate(accrued, moment);
  return rates.variableRate;
}

/** The curve's current yearly rate, scaled for display. A fixed-term reserve uses its first point at any utilization. */
function computeVariableRate({ account, utilization }: AccruedReserve, moment: Moment): Rational {
  const { config } = account;
  const first = config.borrowRateCurve.points[0];
  const rate =
    config.debtTermSeconds !== 0n && first !== undefined
      ? fromBps(first.borrowRateBps)
      : curveRate(config, utilization);
  return rate.mul(displayScale(config, moment));
}

/**
 * Yearly rate that borrowers pay, not compounded: curve rate plus host rate. Rounded for publication, so values derived
 * from it agree with what a client derives from the published number.
 */
export function borrowApr(accrued: AccruedReserve, moment: Moment): Rational {
  const { config } = accrued.account;
  const hostRate = fromBps(config.hostFixedInterestRateBps).mul(displayScale(config, moment));
  return roundToPublished(variableRate(accrued, moment).add(hostRate));
}

/**
 * Yearly rate that suppliers earn, not compounded: utilization times curve rate, minus the protocol's take. Excludes the
 * host rate. Rounded for publication.
 */
export function supplyApr(accrued: AccruedReserve, moment: Moment): Rational {
  const rates = ratesOf(accrued, moment);
  rates.supplyApr ??= computeSupplyApr(accrued, moment);
  return rates.supplyApr;
}

function computeSupplyApr(accrued: AccruedReserve, moment: Moment): Rational {
  const suppliersPart = ONE.sub(fromPercent(accrued.account.config.protocolTakeRatePct));
  return roundToPublished(accrued.utilization.mul(variableRate(accrued, moment)).mul(suppliersPart));
}

/** APY of a lending rate, compounded every slot. -1 for a rate that loses everything. */
export function lendingApy(apr: Rational): Rational {
  if (apr.isZero) return ZERO;
  return apr.n <= -SLOTS_PER_YEAR * apr.d ? TOTAL_LOSS : apyPerSlot(apr.min(MAX_APR));
}

/** APY of a reward rate, compounded daily. -1 for a rate that loses everything. */
export function rewardApy(apr: Rational): Rational {
  if (apr.isZero) return ZERO;
  return apr.n <= -365n * apr.d ? TOTAL_LOSS : apyDaily(apr.min(MAX_APR));
}

/** Yearly cost of borrowing, compounded. */
export function borrowApy(accrued: AccruedReserve, moment: Moment): Rational {
  return lendingApy(borrowApr(accrued, moment));
}

/** Yearly yield of supplying, compounded. */
export function supplyApy(accrued: AccruedReserve, moment: Moment): Rational {
  return lendingApy(supplyApr(accrued, moment));
}
