import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import { startThread } from '../../node/background.ts';
import { DISK_FULL_STATE, diskFull, isDiskFull } from '../disk-full.ts';
import { lockDirectory } from './directory-lock.ts';
import { freeBytes, LOG_FILE_BYTES } from './free-space.ts';
import type { WorkerFailure, WorkerInput, WorkerReady } from './worker.ts';

export interface EmbeddedDatabase {
  /** Connection URL for clients on this machine. Its password changes at every start. */
  readonly url: string;
  /** Aborted when the thread has ended, stopped or crashed; the reason is a CodedError. It is not restarted. */
  readonly ended: AbortSignal;
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** Archive of an empty database, which makes a first start as fast as later ones. */
  readonly template?: string | undefined;
  /** Whether to create a missing template. */
  readonly createTemplate?: boolean;
  /** Called when the directory is locked, before the database is opened. */
  readonly onLocked?: () => void;
  /** Aborts the start. The next start recreates an unfinished database. */
  readonly signal?: AbortSignal;
}

interface Served {
  readonly worker: Worker;
  readonly port: number;
}

const IN_MEMORY = 'memory://';
const STOP_MS = 10_000;
const CRASHED = 'the embedded database crashed and is being restarted';

/**
 * Runs PostgreSQL (PGlite, WebAssembly) on a worker thread and serves it on a loopback port. The first start in a directory
 * creates the database, which takes seconds; later starts open it.
 *
 * @param dataDir parent directory of the database, or `memory://`
 * @throws SluiceError CONFIG_INVALID when another process uses the directory or the database cannot be opened,
 * HISTORY_UNAVAILABLE when the disk is full
 */
export async function startEmbeddedDatabase(
  dataDir: string,
  { template, createTemplate = false, onLocked, signal }: EmbeddedDatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  const directory = dataDir === IN_MEMORY ? null : join(resolve(dataDir), 'pglite');
  const unlock = directory === null ? async () => {} : await lockedDirectory(directory);
  const password = randomBytes(18).toString('hex');
  try {
    onLocked?.();
    const { worker, port } = await serve(
      { directory, password, template: template ?? null, createTemplate },
      signal,
    );
    const end = new AbortController();
    // A failed backend ends the thread, but its clients notice earlier.
    worker.on('message', ({ sqlState }: WorkerFailure) => end.abort(failureOf(sqlState)));
    void ended(worker).then(() => end.abort(failureOf(null)));
    return {
      ended: end.signal,
      url: `postgresql://postgres:${password}@127.0.0.1:${port}/postgres?sslmode=disable`,
      async stop() {
        await stopWorker(worker);
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    signal?.throwIfAborted();
    if (directory !== null && (await isForLackOfSpace(error, directory))) throw diskFull(error);
    const allowed = `the database in ${directory ?? 'memory'} cannot be opened. Remove it, or set DATA_DIR to another directory.`;
    throw new SluiceError('CONFIG_INVALID', { variable: 'DATA_DIR', allowed }, { cause: error });
  }
}

async function lockedDirectory(directory: string): Promise<() => Promise<void>> {
  try {
    await mkdir(dirname(directory), { recursive: true });
    return await lockDirectory(`${directory}.lock`);
  } catch (error) {
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

/** PostgreSQL ends without an error of its own when it cannot write its log while it recovers a database. */
async function isForLackOfSpace(error: unknown, directory: string): Promise<boolean> {
  return isDiskFull(error) || ((await freeBytes(directory)) ?? LOG_FILE_BYTES) < LOG_FILE_BYTES;
}

function failureOf(sqlState: string | null): CodedError {
  if (sqlState === DISK_FULL_STATE) return diskFull();
  return new SluiceError('HISTORY_UNAVAILABLE', { reason: CRASHED });
}

async function serve(input: WorkerInput, signal: AbortSignal | undefined): Promise<Served> {
  signal?.throwIfAborted();
  const worker = await startThread('store/embedded/worker', input);
  // The process continues without history; queries then fail because the database is gone.
  worker.on('error', () => {});
  const cancel = () => void worker.terminate();
  // A signal that was aborted in the meantime emits no further event.
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  try {
    const { port } = await ready(worker);
    if (port !== null) return { worker, port };
    await ended(worker);
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
  return serve(input, signal);
}

function ready(worker: Worker): Promise<WorkerReady> {
  return new Promise((settle, fail) => {
    worker.once('message', settle);
    worker.once('error', fail);
    worker.once('exit', () => fail(new Error('the thread ended before it was ready')));
  });
}

const ended = (worker: Worker) =>
  new Promise<void>((settle) => {
    if (worker.threadId === -1) settle();
    else worker.once('exit', () => settle());
  });

async function stopWorker(worker: Worker): Promise<void> {
  const end = ended(worker);
  worker.postMessage('stop');
  const late = setTimeout(() => worker.terminate(), STOP_MS);
  await end;
  clearTimeout(late);
}
