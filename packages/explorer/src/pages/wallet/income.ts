import { Decimal } from '@sluice/client';
import { usdSum } from '../../lending/usd-sum.ts';

export type IncomeStep = 'week' | 'month';

export interface IncomeBucket {
  /** Start, in seconds since the Unix epoch. */
  readonly start: number;
  /** Null when a part is not known. */
  readonly usd: string | null;
  /** It is not over. */
  readonly running: boolean;
}

interface Period {
  readonly start: string;
  readonly end: string;
  readonly total: { readonly interestEarned: { readonly usd: string | null } };
}

const DAY_MS = 86_400_000;
const WEEKS = 12;
const MONTHS = 12;

/** Monday of the week, by UTC. */
const weekOf = (ms: number): number => {
  const day = Math.floor(ms / DAY_MS);
  // The first day of the epoch was a Thursday.
  return (day - ((day + 3) % 7)) * DAY_MS;
};

/** What to ask for: days for weeks, which the API does not have, from the start of the first bucket on. */
export function incomeAsked(
  step: IncomeStep,
  nowMs: number,
): { readonly by: 'DAY' | 'MONTH'; readonly start: string } {
  if (step === 'week')
    return { by: 'DAY', start: new Date(weekOf(nowMs) - (WEEKS - 1) * 7 * DAY_MS).toISOString() };
  const now = new Date(nowMs);
  return {
    by: 'MONTH',
    start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (MONTHS - 1), 1)).toISOString(),
  };
}

/** Interest by week or month. Empty buckets before the first interest are left out. */
export function incomeBuckets(
  periods: readonly Period[],
  step: IncomeStep,
  nowMs: number,
): readonly IncomeBucket[] {
  const buckets = new Map<number, (string | null)[]>();
  const ends = new Map<number, number>();
  for (const { start, end, total } of periods) {
    const ms = Date.parse(start);
    const key = step === 'week' ? weekOf(ms) : ms;
    buckets.set(key, [...(buckets.get(key) ?? []), total.interestEarned.usd]);
    ends.set(key, step === 'week' ? key + 7 * DAY_MS : Date.parse(end));
  }
  const all = [...buckets].map(([key, parts]) => ({
    start: key / 1_000,
    usd: usdSum(parts),
    running: (ends.get(key) ?? 0) > nowMs || key === currentOf(step, nowMs),
  }));
  const first = all.findIndex(({ usd }) => usd === null || !Decimal.of(usd).isZero);
  return first === -1 ? [] : all.slice(first);
}

/** The range of the query ends now, and so does its last month. */
function currentOf(step: IncomeStep, nowMs: number): number {
  const now = new Date(nowMs);
  return step === 'week' ? weekOf(nowMs) : Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
}
