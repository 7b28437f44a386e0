import type { Worker } from 'node:worker_threads';
import type { ProgramIds } from '../programs/program-ids.ts';
import { startThread } from '../threads/start-thread.ts';
import { type SamplingPlan, samplingPlans } from './sampling-plan.ts';
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

/**
 * Fills the series with the embedded chain's past, on threads of its own: the minutes of the last day on one, the hours
 * and days before on another. Resolves when all of it is written.
 */
export async function seedHistory(options: SeedOptions): Promise<void> {
  const { signal, onProgress, ...world } = options;
  if (signal.aborted) return;
  const plans = samplingPlans(options.presentMs);
  const minutes = plans.filter(({ step }) => step === 60);
  const rest = plans.filter(({ step }) => step !== 60);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  // When one fails the other works for nothing, and would go on beside the next attempt.
  const failed = new AbortController();
  const ended = AbortSignal.any([signal, failed.signal]);
  const work = (part: readonly SamplingPlan[]) =>
    finished(startThread(THREAD, { ...world, plans: part } satisfies SeedInput), ended, (written) => {
      done += written;
      onProgress({ done, of });
    });
  try {
    await Promise.all([work(minutes), work(rest)]);
  } finally {
    failed.abort();
  }
}

const THREAD = new URL('./seed-thread.ts', import.meta.url);

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
