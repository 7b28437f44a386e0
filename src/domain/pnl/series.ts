import { Rational } from '@sluice/protocol/numeric/rational';

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
