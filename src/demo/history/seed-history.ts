import type { Worker } from 'node:worker_threads';
import { startThread } from '../../node/start-thread.ts';
import type { ProgramIds } from '../../programs/program-ids.ts';
import { samplingPlans } from './sampling-plan.ts';
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
  /** Resolves when the thread has ended. */
  cancel(): Promise<void>;
}

/**
 * A sample allocates megabytes of short-lived objects; a larger young generation keeps most of them from
 * being promoted.
 */
const YOUNG_MEGABYTES = 96;

/**
 * Fills the series with the embedded chain's past, on a thread. It starts generating while the database is being opened
 * and writes as soon as it gets its URL. A second thread would generate the past and compile the same code again, which
 * takes as much processor time as it saves.
 */
export function startSeeding({ signal, onProgress, ...world }: SeedOptions): Seeding {
  const plans = samplingPlans(world.presentMs);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  const cancelled = new AbortController();
  const ended = AbortSignal.any([signal, cancelled.signal]);
  const started = signal.aborted ? Promise.resolve(null) : start({ ...world, plans });
  const all = started.then(async (thread) => {
    if (thread === null) return;
    await finished(thread, ended, (written) => {
      done += written;
      onProgress({ done, of });
    });
  });
  // Keeps a rejection from being unhandled until `write` awaits it.
  const over = all.catch(() => {});
  return {
    async write(target) {
      (await started)?.postMessage(target);
      await all;
    },
    async cancel() {
      cancelled.abort();
      await over;
    },
  };
}

const start = (input: SeedInput): Promise<Worker> =>
  startThread('demo/history/seed-thread', input, { maxYoungGenerationSizeMb: YOUNG_MEGABYTES });

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
