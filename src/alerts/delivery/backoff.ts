const FIRST_MS = 1_000;
const MAX_MS = 3_600_000;
const MAX_DOUBLINGS = 20;

/** Wait after a failed attempt: doubled each time up to an hour, and between half of that and all of it at random. */
export function retryDelayMs(earlierAttempts: number, random: () => number): number {
  const most = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(earlierAttempts, MAX_DOUBLINGS));
  return most * (0.5 + random() / 2);
}
