import type { ChildProcess } from 'node:child_process';
import type { ProgramIds } from '@sluice/protocol/program-ids';
import { startProcess } from '../../node/background.ts';
import { samplingPlans } from './sampling-plan.ts';
import type { SeedMessage, SeedProgress, SeedTarget } from './seed-process.ts';

export interface SeedOptions {
  readonly scale: number;
  /** When the localnet was started, in unix milliseconds. */
  readonly presentMs: number;
  readonly programs: ProgramIds;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly of: number }) => void;
}

export interface Seeding {
  /** Resolves when everything is written, or when it was cancelled. */
  write(target: SeedTarget): Promise<void>;
  /** Resolves when the process has ended. */
  cancel(): Promise<void>;
}

/**
 * A sample allocates megabytes of short-lived objects; a larger young generation keeps most of them from
 * being promoted. In megabytes.
 */
const SEMI_SPACE_MB = 32;

/**
 * Fills the series with the localnet's past, in a process of its own, whose memory returns to the system when it
 * ends. It starts generating while the database is being opened and writes as soon as it gets its URL. A second process
 * would generate the past and compile the same code again, which takes as much processor time as it saves.
 */
export function startSeeding({ signal, onProgress, ...world }: SeedOptions): Seeding {
  const plans = samplingPlans(world.presentMs);
  const of = plans.reduce((sum, { at }) => sum + at.length, 0);
  let done = 0;
  const cancelled = new AbortController();
  const ended = AbortSignal.any([signal, cancelled.signal]);
  const started = signal.aborted ? Promise.resolve(null) : start();
  const all = started.then(async (child) => {
    if (child === null) return;
    send(child, { input: { ...world, plans } });
    await finished(child, ended, (written) => {
      done += written;
      onProgress({ done, of });
    });
  });
  // Keeps a rejection from being unhandled until `write` awaits it.
  const over = all.catch(() => {});
  return {
    async write(target) {
      const child = await started;
      if (child !== null) send(child, { target });
      await all;
    },
    async cancel() {
      cancelled.abort();
      await over;
    },
  };
}

const start = () => startProcess('app/seed-history/seed-process', [`--max-semi-space-size=${SEMI_SPACE_MB}`]);

/** A message to a process that has ended is lost; its exit tells. */
function send(child: ChildProcess, message: SeedMessage): void {
  if (child.connected) child.send(message);
}

function finished(
  child: ChildProcess,
  signal: AbortSignal,
  onWritten: (snapshots: SeedProgress) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = () => void child.kill('SIGKILL');
    // A signal that is already aborted fires no event.
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel);
    child.on('message', (written) => onWritten(written as SeedProgress));
    child.once('error', reject);
    child.once('exit', (code) => {
      signal.removeEventListener('abort', cancel);
      if (signal.aborted || code === 0) resolve();
      else reject(new Error(`The process that generates the past exited with code ${code}`));
    });
  });
}
