const isLong = () => process.env.MANY_CASES !== undefined;

/** Number of random cases that a suite tries: few in `npm test`, many when MANY_CASES is set, as the long suite does. */
export const cases = (few: number, many: number): number => (isLong() ? many : few);

/**
 * The values that one of many similar rows tries: all of them in the long suite. Otherwise at least `least`, spread over the
 * list and different from row to row, so that the rows together try every value.
 */
export function sampled<T>(values: readonly T[], row: number, rows: number, least: number): readonly T[] {
  if (isLong()) return values;
  const stride = Math.floor(values.length / Math.max(least, Math.ceil(values.length / rows), 1));
  return stride <= 1 ? values : values.filter((_, i) => i % stride === row % stride);
}
