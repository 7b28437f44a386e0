type Column = readonly (number | null)[];

interface Stacked {
  readonly values: Column;
  /** Drawn on top of the stacked series before it. */
  readonly stacked?: boolean;
}

/**
 * Heights at which series are drawn: that of a stacked one is the sum of itself and the stacked ones before it. Where one
 * of those is unknown, so is the height.
 */
export function heightsOf(series: readonly Stacked[]): Column[] {
  let below: Column | null = null;
  return series.map(({ values, stacked = false }) => {
    if (!stacked) return values;
    const base = below;
    below = base === null ? values : values.map((value, index) => sum(base[index] ?? null, value));
    return below;
  });
}

const sum = (left: number | null, right: number | null): number | null =>
  left === null || right === null ? null : left + right;

/** Neighbours in the stack, the upper one first, as positions in the list. */
export function bandsOf(series: readonly Pick<Stacked, 'stacked'>[]): (readonly [number, number])[] {
  const stacked = series.flatMap((one, index) => (one.stacked === true ? [index] : []));
  return stacked.slice(1).map((upper, index) => [upper, stacked[index] ?? upper] as const);
}
