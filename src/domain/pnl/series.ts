import { Rational } from '../../numeric/rational.ts';

/** A value at a moment. */
export interface Sample {
  /** Unix seconds. */
  readonly time: number;
  readonly value: Rational;
}

/** Index of the last item at or before a time in an ascending list; -1 when all are later. */
export function lastIndexAt(items: readonly { readonly time: number }[], time: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.time ?? Number.POSITIVE_INFINITY) <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * A step function over time: the last sample at or before the moment. Null before the first sample (a price before
 * recording began is unknown) and when the last one is older than `maxAge` seconds.
 */
export function lastKnown(
  ascending: readonly Sample[],
  maxAge = Number.POSITIVE_INFINITY,
): (time: number) => Rational | null {
  return (time) => {
    const sample = ascending[lastIndexAt(ascending, time)];
    return sample === undefined || time - sample.time > maxAge ? null : sample.value;
  };
}

/** Linear interpolation between samples; constant before the first and after the last. */
export function interpolate(ascending: readonly [Sample, ...Sample[]]): (time: number) => Rational {
  return (time) => {
    const index = lastIndexAt(ascending, time);
    const [before, after] = [ascending[index], ascending[index + 1]];
    if (before === undefined) return ascending[0].value;
    if (after === undefined || time === before.time) return before.value;
    const part = Rational.of(BigInt(time - before.time), BigInt(after.time - before.time));
    return before.value.add(after.value.sub(before.value).mul(part)).reduced();
  };
}
