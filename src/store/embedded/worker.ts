import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { backendFailure } from './backend-failure.ts';
import { serveWire } from './wire-server.ts';

export interface WorkerInput {
  /** Null keeps the database in memory. */
  readonly directory: string | null;
  readonly password: string;
  /** Archive of an empty database, used to create a new one. */
  readonly template: string | null;
  /** Whether to write the archive when it is missing. */
  readonly createTemplate: boolean;
}

/** The worker's first message. */
export interface WorkerReady {
  /** Null when the worker created the database and ended: only its end releases the memory that creating it took. */
  readonly port: number | null;
}

/** The worker's last message, if the backend has failed. */
export interface WorkerFailure {
  readonly sqlState: string;
}

/**
 * One client at a time reads little, and the system caches the files. The default of 128 MB would stay resident once
 * touched.
 */
const SETTINGS = ['shared_buffers=16MB', 'wal_buffers=1MB', 'temp_buffers=1MB'];

const { directory, password, template, createTemplate } = workerData as WorkerInput;
/** Marks a complete database. A directory without it is left from an aborted start and is recreated. */
const marker = directory === null ? null : join(directory, 'sluice-ready');
const say = (message: WorkerReady | WorkerFailure) => parentPort?.postMessage(message);

const isNew = marker === null || !existsSync(marker);
const archive = isNew && template !== null && existsSync(template) ? template : null;
if (isNew && directory !== null) rmSync(directory, { recursive: true, force: true });
const pglite = await PGlite.create(directory ?? 'memory://', {
  startParams: [...PGlite.defaultStartParams, ...SETTINGS.flatMap((setting) => ['-c', setting])],
  ...(archive === null ? {} : { loadDataDir: new Blob([readFileSync(archive)]) }),
});
if (isNew && createTemplate && template !== null && archive === null) await writeTemplate(template);
if (marker !== null && isNew) writeFileSync(marker, '');
if (marker !== null && isNew && archive === null) {
  await pglite.close();
  say({ port: null });
} else serve();

async function writeTemplate(file: string): Promise<void> {
  const archive = await pglite.dumpDataDir('none');
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, Buffer.from(await archive.arrayBuffer()));
  renameSync(unfinished, file);
}

/** Ends the thread after the reply was sent; the next one recovers the database from its log. */
const endThread = () => void setImmediate(() => process.exit(1));

function serve(): void {
  const server = serveWire(async (messages) => {
    const said: Uint8Array[] = [];
    // The bytes are a view of memory that is overwritten by the next ones.
    const onRawData = (bytes: Uint8Array) => void said.push(bytes.slice());
    try {
      await pglite.execProtocolRawStream(messages, { onRawData });
    } catch (error) {
      // Errors of statements are part of the reply. This one is fatal.
      endThread();
      throw error;
    }
    const reply = Buffer.concat(said);
    const sqlState = backendFailure(reply);
    if (sqlState !== null) {
      say({ sqlState });
      endThread();
    }
    return reply;
  }, password);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1', () => say({ port: (server.address() as AddressInfo).port }));
  parentPort?.once('message', async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await pglite.close();
    parentPort?.close();
  });
}
