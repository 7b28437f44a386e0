import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/store/database.ts';
import { readPoints } from '../src/store/history/read-series.ts';
import { HOUR } from '../src/store/history/time-buckets.ts';
import { VAULT_SERIES } from '../src/store/history/vault-series.ts';
import { writeHistory, writeSnapshot } from '../src/store/history/write-snapshot.ts';
import { takeFence } from '../src/store/leases/fencing-token.ts';
import { migrate } from '../src/store/migrate.ts';
import { ReadReplicas } from '../src/store/replicas/read-replicas.ts';
import type { Database } from '../src/store/sql.ts';
import {
  startTestPostgres,
  startTestReplica,
  type TestPostgres,
} from '../test/support/databases/postgres-server.ts';
import { addressOf, MAINNET, madeUpSnapshot } from './history-data.ts';
import { printTable } from './measure.ts';

const START = Date.UTC(2026, 0, 1);
const HOURS = 168;
const HOUR_MS = 3_600_000;
const RANGE = { start: new Date(START), end: new Date(START + HOURS * HOUR_MS), step: HOUR };
const READERS = 4;
const POOL = { poolSize: 8, statementTimeoutMs: 600_000 };
const TICK_MS = 10;
const NO_LIMIT_MS = 3_600_000;

/**
 * Reads a week of hours of one vault at a time while minutes of mainnet's size are recorded, from the primary alone and with
 * one replica, and prints what each server did.
 */
export async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...args], options: { seconds: { type: 'string', default: '15' } } });
  const primary = await startTestPostgres();
  await migrate(primary.url);
  const db = await openDatabase({ ...POOL, url: primary.url });
  const fence = await takeFence(db, 'bench');
  const week = Array.from({ length: HOURS }, (_, i) =>
    madeUpSnapshot(new Date(START + i * HOUR_MS), MAINNET),
  );
  await writeHistory(db, fence, HOUR, week);
  const replica = await startTestReplica(primary);
  const onReplica = await openDatabase({ ...POOL, url: replica.url });
  const servers = { primary: db, replica: onReplica };
  try {
    const measure = (urls: readonly string[]) =>
      measured({ db, fence, servers, primary, urls, seconds: Number(values.seconds) });
    const alone = await measure([]);
    const both = await measure([replica.url]);
    printTable([
      ['', 'primary alone', 'primary and replica'],
      ...Object.keys(alone).map((name) => [name, alone[name] ?? '', both[name] ?? '']),
    ]);
  } finally {
    await Promise.all([db.close(), onReplica.close()]);
    replica.remove();
    primary.remove();
  }
}

interface Setup {
  readonly db: Database;
  readonly fence: bigint;
  readonly servers: Readonly<Record<'primary' | 'replica', Database>>;
  readonly primary: TestPostgres;
  readonly urls: readonly string[];
  readonly seconds: number;
}

let nextMinute = START + HOURS * HOUR_MS;

async function measured(setup: Setup): Promise<Readonly<Record<string, string>>> {
  const { db, fence, servers, primary, urls, seconds } = setup;
  const replicas = await ReadReplicas.open({
    primary: db,
    primaryUrl: primary.url,
    urls,
    maxLagMs: NO_LIMIT_MS,
    pool: POOL,
    onChange: () => {},
    onBlind: (reason) => process.stderr.write(`the primary cannot be measured: ${reason}\n`),
  });
  while (replicas.state().replicas.some(({ inUse }) => !inUse)) await sleep(100);
  let [reads, minutes, worstLagBytes, ends] = [0, 0, 0, false];
  const reader = async (first: number) => {
    for (let i = first; !ends; i += READERS) {
      await readPoints(replicas.recorded, VAULT_SERIES, [addressOf('vault', i % MAINNET.vaults)], RANGE);
      reads += 1;
    }
  };
  const recorder = async () => {
    for (; !ends; nextMinute += 60_000, minutes += 1) {
      await writeSnapshot(db, fence, madeUpSnapshot(new Date(nextMinute), MAINNET));
      for (const { lagBytes } of replicas.state().replicas)
        worstLagBytes = Math.max(worstLagBytes, lagBytes ?? 0);
      await sleep(1_000);
    }
  };
  const before = await workOf(servers);
  const startedAt = performance.now();
  const running = Promise.all([recorder(), ...Array.from({ length: READERS }, (_, i) => reader(i))]);
  await sleep(seconds * 1_000);
  ends = true;
  await running;
  const tookSeconds = (performance.now() - startedAt) / 1_000;
  const after = await workOf(servers);
  const { primaryReads } = replicas.state();
  const fromReplica = replicas.state().replicas.reduce((sum, each) => sum + each.reads, 0);
  await replicas.close();
  const processor = (name: 'primary' | 'replica') =>
    `${(spentMs(before[name], after[name]) / 10 / tookSeconds).toFixed(0)} %`;
  return {
    'histories per second': (reads / tookSeconds).toFixed(0),
    'histories read from the primary': String(primaryReads),
    'histories read from the replica': String(fromReplica),
    'minutes recorded meanwhile': String(minutes),
    'processor of the primary': processor('primary'),
    'processor of the replica': processor('replica'),
    'most bytes behind, once a second': urls.length === 0 ? '-' : String(worstLagBytes),
  };
}

type Work = Record<'primary' | 'replica', ReadonlyMap<number, number>>;

/** Processor time in milliseconds that each process of each server has used. */
async function workOf(servers: Setup['servers']): Promise<Work> {
  const of = async (db: Database) => {
    const rows = await db.rows('SELECT pid FROM pg_stat_activity');
    return new Map(rows.map(({ pid }) => [Number(pid), ticksOf(Number(pid)) * TICK_MS]));
  };
  return { primary: await of(servers.primary), replica: await of(servers.replica) };
}

/** Without connections that were idle long enough to be closed meanwhile. */
const spentMs = (before: ReadonlyMap<number, number>, after: ReadonlyMap<number, number>): number =>
  [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);

/** User and system time, after the name of the process, which may contain spaces. */
function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
