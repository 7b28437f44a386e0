/** Seconds since the Unix epoch, for the horizontal axis of a chart. */
export const secondsOf = (points: readonly { readonly timestamp: string }[]): number[] =>
  points.map(({ timestamp }) => Date.parse(timestamp) / 1_000);

/** Floats for pixels. Null stays null, so that a chart shows a gap and not a zero. */
export const pixelsOf = <Point>(
  points: readonly Point[],
  field: (point: Point) => string | null,
): (number | null)[] =>
  points.map((point) => {
    const value = field(point);
    return value === null ? null : Number(value);
  });
