const DAY = 86_400;

export type IncomeStep = 'DAY' | 'MONTH';

/** A UTC day or month, as far as it is in the range. Unix seconds, end exclusive. */
export interface IncomePeriod {
  readonly start: number;
  readonly end: number;
}

/** The days or months of a range, in order: the first and the last one are cut to the range. */
export function* incomePeriods(start: number, end: number, by: IncomeStep): Generator<IncomePeriod> {
  for (let from = start; from < end; ) {
    const next = by === 'DAY' ? (Math.floor(from / DAY) + 1) * DAY : nextMonth(from);
    yield { start: from, end: Math.min(next, end) };
    from = next;
  }
}

function nextMonth(time: number): number {
  const date = new Date(time * 1_000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1_000;
}

/** Index of the period of a time; -1 outside all. Periods are adjacent. */
export function periodAt(periods: readonly IncomePeriod[], time: number): number {
  let [low, high] = [0, periods.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((periods[middle]?.end ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return (periods[low]?.start ?? Number.POSITIVE_INFINITY) <= time ? low : -1;
}
