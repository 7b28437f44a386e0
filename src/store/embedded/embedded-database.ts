import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { SluiceError } from '../../errors/sluice-error.ts';
import { startThread } from '../../node/start-thread.ts';
import { lockDirectory } from './directory-lock.ts';
import type { WorkerInput, WorkerReady } from './worker.ts';

export interface EmbeddedDatabase {
  /** For any PostgreSQL client of this machine that knows it; the password is new at every start. */
  readonly url: string;
  /** Aborted once its thread has ended, be it that it was stopped or by itself. Nothing starts it again. */
  readonly ended: AbortSignal;
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** An archive of an empty database, which makes a first start as quick as a later one. */
  readonly template?: string | undefined;
  /** Whether that is made where it is missing. */
  readonly keepTemplate?: boolean;
  /** Told when the directory is ours, before the database is opened. */
  readonly onLocked?: () => void;
  /** Gives up a start that is under way; what it has made of a directory is made again by the next one. */
  readonly signal?: AbortSignal;
}

interface Served {
  readonly worker: Worker;
  readonly port: number;
}

const IN_MEMORY = 'memory://';
const STOP_MS = 10_000;

/**
 * PostgreSQL in WebAssembly, on a thread of its own, behind the wire protocol on a port of loopback. The first start in
 * a directory makes the database, which takes seconds; later ones open it.
 *
 * @param dataDir where to keep it, or `memory://`
 * @throws SluiceError CONFIG_INVALID when another process has the directory or the database there cannot be opened
 */
export async function startEmbeddedDatabase(
  dataDir: string,
  { template, keepTemplate = false, onLocked, signal }: EmbeddedDatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  const directory = dataDir === IN_MEMORY ? null : join(resolve(dataDir), 'pglite');
  if (directory !== null) await mkdir(resolve(dataDir), { recursive: true });
  const unlock = directory === null ? async () => {} : await lockDirectory(`${directory}.lock`);
  const password = randomBytes(18).toString('hex');
  try {
    onLocked?.();
    const { worker, port } = await serve(
      { directory, password, template: template ?? null, keepTemplate },
      signal,
    );
    const end = new AbortController();
    void ended(worker).then(() => end.abort());
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
    const allowed = `the database in ${directory ?? 'memory'} cannot be opened. Remove it, or set DATA_DIR to another directory.`;
    throw new SluiceError('CONFIG_INVALID', { variable: 'DATA_DIR', allowed }, { cause: error });
  }
}

async function serve(input: WorkerInput, signal: AbortSignal | undefined): Promise<Served> {
  signal?.throwIfAborted();
  const worker = await startThread('store/embedded/worker', input);
  // The rest of the process lives without history; whoever asks for it is told that the database is gone.
  worker.on('error', () => {});
  const cancel = () => void worker.terminate();
  // One that was aborted meanwhile will not tell again.
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
