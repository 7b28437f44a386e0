/** A point of a reserve's curve and the figures that scale it, all as the gateway sends them. */
export interface RateCurveInput {
  readonly borrowCurve: readonly { readonly utilization: string; readonly rate: string }[];
  readonly utilization: string;
  readonly borrowApr: string;
  readonly supplyApr: string;
  readonly interestRateBasis: 'PER_SLOT' | 'PER_SECOND';
  readonly fees: { readonly hostFixedRate: string; readonly protocolTake: string };
}

/** Columns for a chart: floats for pixels, the exact rates of today are in the figures beside it. */
export interface RateCurve {
  /** Utilization as a fraction, ascending. */
  readonly utilizations: readonly number[];
  /** Yearly rate of borrowers, not compounded. */
  readonly borrow: readonly number[];
  /** Yearly rate of suppliers, not compounded. */
  readonly supply: readonly number[];
  /** The published rates of today at today's utilization, null everywhere else. */
  readonly borrowToday: readonly (number | null)[];
  readonly supplyToday: readonly (number | null)[];
  /** The reserve charges the first rate of its curve at any utilization, as one with a fixed term does. */
  readonly fixed: boolean;
}

/** Slot length in milliseconds for which rates per slot are set. */
const CURVE_SLOT_MS = 500;
const STEPS = 100;
/** Rates are published with 34 digits; a float that comes from the same rate differs by far less than this. */
const SAME_RATE = 1e-9;

/**
 * The rates of a reserve by utilization. Rates per slot assume slots that are longer than real ones, so a year has more of
 * them and its interest is higher by the same factor. Rates per second are true yearly rates.
 *
 * @param slotDurationMs real length of a slot, from `chain`.
 */
export function rateCurve(reserve: RateCurveInput, slotDurationMs: string): RateCurve {
  const points = reserve.borrowCurve.map(
    ({ utilization, rate }) => [Number(utilization), Number(rate)] as const,
  );
  const scale = reserve.interestRateBasis === 'PER_SECOND' ? 1 : CURVE_SLOT_MS / Number(slotDurationMs);
  const host = Number(reserve.fees.hostFixedRate);
  const suppliersPart = 1 - Number(reserve.fees.protocolTake);
  const now = Number(reserve.utilization);
  const aprNow = Number(reserve.borrowApr);

  const first = points[0]?.[1] ?? 0;
  const isAprNow = (rate: number) => Math.abs((rate + host) * scale - aprNow) < SAME_RATE;
  const fixed = isAprNow(first) && !isAprNow(rateAt(points, now));
  const rate = (utilization: number) => (fixed ? first : rateAt(points, utilization));

  const utilizations = positions([...points.map(([utilization]) => utilization), now]);
  return {
    utilizations,
    borrow: utilizations.map((utilization) => (rate(utilization) + host) * scale),
    supply: utilizations.map((utilization) => utilization * rate(utilization) * suppliersPart * scale),
    borrowToday: utilizations.map((utilization) => (utilization === now ? aprNow : null)),
    supplyToday: utilizations.map((utilization) => (utilization === now ? Number(reserve.supplyApr) : null)),
    fixed,
  };
}

/** Even steps, so that the supply rate, which is not linear, is smooth; and the positions that must be exact. */
function positions(exact: readonly number[]): number[] {
  const steps = Array.from({ length: STEPS + 1 }, (_, step) => step / STEPS);
  return [...new Set([...steps, ...exact])].sort((a, b) => a - b);
}

/** Linear between the points, level outside them. */
function rateAt(points: readonly (readonly [number, number])[], utilization: number): number {
  let before: readonly [number, number] | null = null;
  for (const point of points) {
    if (utilization <= point[0]) {
      if (before === null || point[0] === before[0]) return point[1];
      return before[1] + ((utilization - before[0]) / (point[0] - before[0])) * (point[1] - before[1]);
    }
    before = point;
  }
  return before?.[1] ?? 0;
}
