const STEPS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
] as const;

/** `3 min` between two times, in the largest unit that fits. Never negative: clocks differ by some seconds. */
export function ageBetween(from: string, to: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(to) - Date.parse(from)) / 1_000));
  const [size, unit] = STEPS.find(([step]) => seconds >= step) ?? [1, 's'];
  return `${Math.floor(seconds / size)} ${unit}`;
}
