/** Maps positive values to positions; equal ratios have equal distances. */
export interface LogScale {
  place(value: number): number;
  /** Powers of ten in the range, ends included. */
  readonly ticks: readonly number[];
}

export function logScale(values: readonly number[], from: number, to: number): LogScale {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) throw new RangeError('a logarithmic scale needs a positive value');
  const low = Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive))));
  const place = (value: number) =>
    from + ((Math.log10(Math.max(value, 10 ** low)) - low) / (high - low)) * (to - from);
  return { place, ticks: Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)) };
}

/** 0.01, 1, 10, 1k, 1M. */
export function tickLabel(value: number): string {
  if (value >= 1e6) return `${value / 1e6}M`;
  if (value >= 1e3) return `${value / 1e3}k`;
  return value >= 1 ? String(value) : value.toFixed(Math.round(-Math.log10(value)));
}
