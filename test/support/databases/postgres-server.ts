import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './redis-server.ts';

/** A PostgreSQL server for one test, which may stop it and start it again on the same port. */
export interface TestPostgres {
  readonly url: string;
  /** No effect while it is running. */
  start(): void;
  /** Stops it immediately, as a crash does. No effect while it is stopped. */
  kill(): void;
  /** `kill -9` of all of its processes. */
  killHard(): void;
  /** Stops it and deletes its files. */
  remove(): void;
}

const VERSIONS = '/usr/lib/postgresql';
const binaries = (existsSync(VERSIONS) ? readdirSync(VERSIONS) : [])
  .map((version) => join(VERSIONS, version, 'bin'))
  .filter((folder) => existsSync(join(folder, 'initdb')))
  .at(-1);
if (binaries === undefined && process.env.CI === 'true') {
  throw new Error('PostgreSQL is not installed. CI must test with it.');
}
if (binaries === undefined) {
  process.stderr.write('PostgreSQL is not installed: tests that start a server are skipped.\n');
}

export const NO_POSTGRES = binaries === undefined ? ' (skipped: PostgreSQL is not installed)' : '';
export const skipPostgres = binaries === undefined;

/** Runs a PostgreSQL program. They do not run as root, so root switches to the user `postgres`. */
function run(program: string, ...args: string[]): SpawnSyncReturns<string> {
  const path = join(binaries ?? '', program);
  const isRoot = process.getuid?.() === 0;
  const [command, given] = isRoot ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args];
  const done = spawnSync(command, given, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  if (done.status !== 0) throw new Error(`${program} failed: ${done.stdout}${done.stderr}`);
  return done;
}

export async function startTestPostgres(): Promise<TestPostgres> {
  const folder = postgresFolder();
  const data = join(folder, 'data');
  run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync', '--no-locale', '-E', 'UTF8');
  return startServer(folder, data);
}

/** A streaming replica of a test server, with the same programs. */
export async function startTestReplica(primary: TestPostgres): Promise<TestPostgres> {
  const folder = postgresFolder();
  const data = join(folder, 'data');
  // -R names the primary in the replica's settings and makes it a standby.
  run('pg_basebackup', '-d', primary.url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  return startServer(folder, data);
}

/** A folder that the servers may write to. */
function postgresFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-postgres-'));
  if (process.getuid?.() === 0) {
    const { uid, gid } = ownerOf('/var/lib/postgresql');
    chownSync(folder, uid, gid);
  }
  chmodSync(folder, 0o700);
  return folder;
}

async function startServer(folder: string, data: string): Promise<TestPostgres> {
  const port = await freePort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  const log = join(folder, 'log');
  let runs = false;
  const postgres: TestPostgres = {
    url: `postgresql://postgres@127.0.0.1:${port}/postgres`,
    start() {
      if (!runs) run('pg_ctl', '-D', data, '-w', '-l', log, '-o', settings, 'start');
      runs = true;
    },
    kill() {
      if (runs) run('pg_ctl', '-D', data, '-w', '-m', 'immediate', 'stop');
      runs = false;
    },
    killHard() {
      if (runs) killTree(data);
      runs = false;
    },
    remove() {
      postgres.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  postgres.start();
  return postgres;
}

function killTree(data: string): void {
  const lock = join(data, 'postmaster.pid');
  const postmaster = Number(readFileSync(lock, 'utf8').split('\n')[0]);
  const children =
    readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').match(/\d+/g) ?? [];
  const pids = [postmaster, ...children.map(Number)];
  for (const pid of pids) {
    // Zero would be the processes of the test itself.
    if (!(pid > 1)) throw new RangeError(`${pid} is no process of a server`);
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  }
  // It cannot be started again while one of them still has its memory.
  while (pids.some(isAlive)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  // A process that nobody has waited for yet still counts as one.
  rmSync(lock);
}

function isAlive(pid: number): boolean {
  const status = `/proc/${pid}/status`;
  return existsSync(status) && !/^State:\s+[ZX]/m.test(readFileSync(status, 'utf8'));
}

function ownerOf(path: string): { readonly uid: number; readonly gid: number } {
  const { uid, gid } = statSync(path);
  return { uid, gid };
}
