import type { Worker } from 'node:worker_threads';
import { startThread } from '../../node/start-thread.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';
import { halves, type SamplingPlan, samplingPlans } from './sampling-plan.ts';
import type { SeedInput, SeedProgress, SeedTarget } from './seed-thread.ts';

export interface SeedOptions {
  readonly scale: number;
  /** Unix milliseconds of the moment at which the embedded chain began to live. */
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
}

export interface Seeding {
  /** Resolves when all of it is written, or when it was cancelled. */
  write(target: SeedTarget): Promise<void>;
  /** Resolves when its threads have ended. */
  cancel(): Promise<void>;
}

/** A sample makes megabytes that nobody needs after it: with more room, few of them are moved before they are let go. */
const YOUNG_MEGABYTES = 96;

/**
 * Fills the series with the embedded chain's past, on two threads of its own. They load their code and begin to tell the
 * past at once, while the database is opened, and write when they are told where.
 */
export function startSeeding({ signal, onProgress, ...world }: SeedOptions): Seeding {
  const plans = samplingPlans(world.presentMs);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  // When one fails the other works for nothing, and would go on beside the next attempt.
  const cancelled = new AbortController();
  const ended = AbortSignal.any([signal, cancelled.signal]);
  const start = (part: readonly SamplingPlan[]) =>
    startThread('demo/history/seed-thread', { ...world, plans: part } satisfies SeedInput, {
      maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
    });
  const started = Promise.all(signal.aborted ? [] : halves(plans).map(start));
  const work = async (thread: Worker) =>
    await finished(thread, ended, (written) => {
      done += written;
      onProgress({ done, of });
    });
  const all = started.then((threads) => Promise.all(threads.map(work))).finally(() => cancelled.abort());
  // What fails before anybody waits for it is told to who waits later.
  const over = all.then(
    () => {},
    () => {},
  );
  return {
    async write(target) {
      for (const thread of await started) thread.postMessage(target);
      await all;
    },
    async cancel() {
      cancelled.abort();
      await over;
    },
  };
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
