import type { Worker } from 'node:worker_threads';
import type { ProgramIds } from '../programs/program-ids.ts';
import { startThread } from '../threads/start-thread.ts';
import { halves, type SamplingPlan, samplingPlans } from './sampling-plan.ts';
import type { SeedInput, SeedProgress } from './seed-thread.ts';

export interface SeedOptions {
  readonly databaseUrl: string;
  readonly fence: bigint;
  readonly scale: number;
  /** Unix milliseconds of the moment at which the embedded chain began to live. */
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
}

/** A sample makes megabytes that nobody needs after it: with more room, few of them are moved before they are let go. */
const YOUNG_MEGABYTES = 96;

/**
 * Fills the series with the embedded chain's past, on two threads of its own. Resolves when all of it is written.
 */
export async function seedHistory(options: SeedOptions): Promise<void> {
  const { signal, onProgress, ...world } = options;
  if (signal.aborted) return;
  const plans = samplingPlans(options.presentMs);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  // When one fails the other works for nothing, and would go on beside the next attempt.
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const work = (part: readonly SamplingPlan[]) =>
    finished(
      startThread('embedded-history/seed-thread', { ...world, plans: part } satisfies SeedInput, {
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      }),
      ended,
      (written) => {
        done += written;
        onProgress({ done, of });
      },
    );
  try {
    await Promise.all(halves(plans).map(work));
  } finally {
    failed.abort();
  }
}

function finished(
  thread: Worker,
  signal: AbortSignal,
  onWritten: (snapshots: SeedProgress) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => void thread.terminate();
    // One that was aborted before will not tell again.
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    thread.on('message', onWritten);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      signal.removeEventListener('abort', cancel);
      if (signal.aborted || code === 0) resolve();
      else reject(new Error(`a seeding thread ended with ${code}`));
    });
  });
}
