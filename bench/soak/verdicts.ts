import type { Tally } from '../load/generator.ts';

export interface Verdict {
  readonly promise: string;
  readonly isMet: boolean;
}

/** Bound on the resident memory of the process at the end of any minute. docs/benchmarks.md has the measured numbers. */
export const MAX_RESIDENT_MB = 800;

export const failuresOf = ({ kinds, streams }: Tally): number =>
  kinds.reduce((sum, { failed }) => sum + failed, streams.failed);

/** Requests with the expected answer. The latencies are of the failed ones too. */
export const answersOf = ({ kinds }: Tally): number =>
  kinds.reduce((sum, { latenciesMs, failed }) => sum + latenciesMs.length - failed, 0);

/** Whether a run held, by the highest resident memory and the tally of each minute. */
export function verdictsOf(residentMb: number, tallies: readonly Tally[], clients: number): Verdict[] {
  const failures = tallies.reduce((sum, tally) => sum + failuresOf(tally), 0);
  const silent = tallies.filter((tally) => answersOf(tally) === 0).length;
  const open = tallies.at(-1)?.streams.open ?? 0;
  return [
    {
      promise: `at most ${MAX_RESIDENT_MB} MB: ${residentMb.toFixed(0)} MB`,
      isMet: residentMb <= MAX_RESIDENT_MB,
    },
    { promise: `no request or stream fails: ${failures}`, isMet: failures === 0 },
    {
      promise: `answers in every minute: ${silent} of ${tallies.length} without`,
      isMet: tallies.length > 0 && silent === 0,
    },
    { promise: `all streams stay open: ${open} of ${clients}`, isMet: open === clients },
  ];
}
