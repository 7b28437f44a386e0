import type { Worker } from 'node:worker_threads';
import { startThread } from '../../node/start-thread.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';
import { halves, type SamplingPlan, samplingPlans } from './sampling-plan.ts';
import type { SeedInput, SeedProgress, SeedTarget } from './seed-thread.ts';

export interface SeedOptions {
  readonly scale: number;
  /** When the embedded chain was started, in unix milliseconds. */
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
}

export interface Seeding {
  /** Resolves when everything is written, or when it was cancelled. */
  write(target: SeedTarget): Promise<void>;
  /** Resolves when the threads have ended. */
  cancel(): Promise<void>;
}

/**
 * A sample allocates megabytes of short-lived objects; a larger young generation keeps most of them from
 * being promoted.
 */
const YOUNG_MEGABYTES = 96;

/**
 * Fills the series with the embedded chain's past, on two threads. They start generating while the database
 * is being opened and write as soon as they get its URL.
 */
export function startSeeding({ signal, onProgress, ...world }: SeedOptions): Seeding {
  const plans = samplingPlans(world.presentMs);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  // When one thread fails, the other's work is useless and would overlap with the next attempt.
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
  // Keeps a rejection from being unhandled until `write` awaits it.
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
    // A signal that is already aborted fires no event.
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    thread.on('message', onWritten);
    thread.once('error', reject);
    thread.once('exit', (code) => {
      signal.removeEventListener('abort', cancel);
      if (signal.aborted || code === 0) resolve();
      else reject(new Error(`Seeding thread exited with code ${code}`));
    });
  });
}
