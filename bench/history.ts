import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openDatabase } from '../src/store/database.ts';
import { startEmbeddedDatabase } from '../src/store/embedded/embedded-database.ts';
import { clusterDay } from '../src/store/history/point-clustering.ts';
import { readPoints } from '../src/store/history/read-series.ts';
import { HOUR, MINUTE } from '../src/store/history/time-buckets.ts';
import { VAULT_SERIES } from '../src/store/history/vault-series.ts';
import { writeHistory } from '../src/store/history/write-snapshot.ts';
import { takeFence } from '../src/store/leases/fencing-token.ts';
import { migrate } from '../src/store/migrate.ts';
import type { Database } from '../src/store/sql.ts';
import { addressOf, MAINNET, madeUpSnapshot } from './history-data.ts';
import { printTable } from './measure.ts';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';
const TABLES = ['vault_point', 'reserve_point', 'market_point', 'price_point'];
const START = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const INGESTED_MINUTES = 240;
const MINUTES_PER_WRITE = 10;
const SPARKLINES = 50;
const READS = 5;
const STATEMENT_MS = 600_000;

/** `write`: cost of writes and disk space per day. `read`: cost of reads as the tables grow. */
export async function run([part]: readonly string[]): Promise<void> {
  if (part !== 'read') await onServer(writing);
  if (part !== 'write') await onServer(reading);
}

async function writing(url: string): Promise<void> {
  const server = await ingest(url, INGESTED_MINUTES);
  const embedded = await startEmbeddedDatabase('memory://');
  const pglite = await ingest(embedded.url, INGESTED_MINUTES / 4);
  await embedded.stop();
  const row = (name: string, { rows, seconds, minutes }: Ingested) => [
    name,
    String(rows),
    (rows / seconds).toFixed(0),
    ((seconds / minutes) * 1_000).toFixed(0),
  ];
  process.stdout.write('Writing minutes at mainnet size, roll-ups included\n');
  printTable([['', 'rows', 'rows/s', 'ms per minute'], row('PostgreSQL', server), row('PGlite', pglite)]);
  await onDisk(url);
}

async function onServer(work: (url: string) => Promise<void>): Promise<void> {
  const name = `sluice_bench_${randomBytes(6).toString('hex')}`;
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  try {
    await work(url.href);
  } finally {
    await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function withDatabase<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase({ url, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

interface Ingested {
  readonly rows: number;
  readonly seconds: number;
  readonly minutes: number;
}

async function ingest(url: string, minutes: number): Promise<Ingested> {
  await migrate(url);
  return await withDatabase(url, async (db) => {
    const fence = await takeFence(db, 'bench');
    let seconds = 0;
    for (let from = 0; from < minutes; from += MINUTES_PER_WRITE) {
      const snapshots = Array.from({ length: MINUTES_PER_WRITE }, (_, i) =>
        madeUpSnapshot(new Date(START + (from + i) * MINUTE_MS + 5_000), MAINNET),
      );
      const began = performance.now();
      await writeHistory(db, fence, MINUTE, snapshots);
      seconds += (performance.now() - began) / 1_000;
    }
    const perMinute = Object.values(MAINNET).reduce((sum, count) => sum + count, 0);
    return { rows: perMinute * minutes, seconds, minutes };
  });
}

/** Rows of all steps have the same size, so space is proportional to the number of buckets. */
async function onDisk(url: string): Promise<void> {
  const sizes = await withDatabase(url, async (db) => {
    const [row = {}] = await db.rows(
      `SELECT ${TABLES.map((table) => `(SELECT pg_total_relation_size('${table}')::float / count(*) FROM ${table}) AS ${table}`).join(', ')}`,
    );
    return TABLES.map((table) => Number(row[table]));
  });
  const counts = [MAINNET.vaults, MAINNET.reserves, MAINNET.markets, MAINNET.prices];
  const perBucket = sizes.reduce((sum, bytes, i) => sum + bytes * (counts[i] ?? 0), 0);
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const line = (name: string, buckets: number, days: number) => [
    name,
    mb(perBucket * buckets),
    `${days}`,
    mb(perBucket * buckets * days),
  ];
  process.stdout.write('\nOn disk at mainnet size, indexes included\n');
  printTable([['', 'bytes per row'], ...TABLES.map((table, i) => [table, (sizes[i] ?? 0).toFixed(0)])]);
  process.stdout.write('\n');
  printTable([
    ['', 'per day', 'days retained', 'total'],
    line('minutes', 1_440, 3),
    line('hours', 24, 180),
    line('days', 1, 3_650),
    line('minutes, retained for a year', 1_440, 365),
  ]);
}

/** Series with a full year of points; the others have a month. */
const YEAR_SERIES = 3;
/** Multiples of the number of series. */
const TIMES = [1, 10, 30];
const YEAR_DAYS = 365;
const MONTH_DAYS = 30;

async function reading(url: string): Promise<void> {
  await migrate(url);
  await withDatabase(url, async (db) => {
    const fence = await takeFence(db, 'bench');
    const first = madeUpSnapshot(new Date(START - DAY_MS), {
      vaults: SPARKLINES,
      reserves: 10,
      markets: 1,
      prices: 60,
    });
    await writeHistory(db, fence, HOUR, [first]);
    const sizes: Awaited<ReturnType<typeof readTimes>>[] = [];
    for (const times of TIMES) {
      await fill(db, fence, times);
      sizes.push(await readTimes(db));
    }
    process.stdout.write(`\nReading hours on PostgreSQL, best of ${READS}; CPU time is the gateway's\n`);
    const line = (name: string, read: 'year' | 'sparklines' | 'everything') => [
      name,
      ...sizes.map((size) => `${size[read].ms.toFixed(1)} ms`),
      `${sizes.at(-1)?.[read].cpuMs.toFixed(1)} ms`,
      ...sizes.slice(1).map((size, i) => (size[read].ms / (sizes[i]?.[read].ms ?? 0)).toFixed(2)),
    ];
    printTable([
      [
        '',
        ...sizes.map(({ rows }) => `${rows} rows`),
        'CPU',
        ...TIMES.slice(1).map((times, i) => `${times} to ${TIMES[i]}`),
      ],
      line('a year of one vault, every column', 'year'),
      line(`${SPARKLINES} sparklines of 30 days, one number`, 'sparklines'),
      line(`${SPARKLINES} sparklines of 30 days, every column`, 'everything'),
    ]);
  });
}

/**
 * Copies the written points until there are `times` as many series. Writes them as the recorder does: hour by hour, with each
 * finished day clustered by series.
 */
async function fill(db: Database, fence: bigint, times: number): Promise<void> {
  const names = (
    await db.rows(
      `SELECT column_name::text AS name FROM information_schema.columns WHERE table_name = 'vault_point'`,
    )
  ).map(({ name }) => String(name));
  const replaced: Readonly<Record<string, string>> = {
    vault_id: 't.vault_id + c.copy * 100000',
    bucket: 'h.hour',
    sampled_at: `h.hour + interval '59 minutes'`,
  };
  const cells = names.map((name) => replaced[name] ?? `t.${name}`).join(', ');
  await db.run(
    `CREATE TABLE IF NOT EXISTS vault_point_copy AS SELECT * FROM vault_point WHERE step = ${HOUR}`,
  );
  await db.run('TRUNCATE vault_point');
  const subjects = (await db.rows('SELECT vault_id AS id FROM vault_point_copy ORDER BY id')).map(({ id }) =>
    Number(id),
  );
  const fillDay = `INSERT INTO vault_point (${names.join(', ')})
     SELECT ${cells}
     FROM generate_series($1::timestamptz, $1::timestamptz + interval '23 hours', interval '1 hour') AS h(hour)
     CROSS JOIN generate_series(0, ${times - 1}) AS c(copy)
     CROSS JOIN vault_point_copy t
     WHERE t.vault_id = ANY($2::integer[])
     ORDER BY h.hour`;
  for (let day = 0; day < YEAR_DAYS; day += 1) {
    const start = new Date(START + day * DAY_MS);
    const ids = subjects.slice(0, day < YEAR_DAYS - MONTH_DAYS ? YEAR_SERIES : SPARKLINES);
    await db.run(fillDay, [start.toISOString(), ids]);
    const copies = Array.from({ length: times }, (_, copy) => ids.map((id) => id + copy * 100_000));
    await clusterDay(db, fence, copies.flat(), start);
  }
  await db.run('VACUUM ANALYZE vault_point');
}

async function readTimes(db: Database) {
  const vaults = Array.from({ length: SPARKLINES }, (_, i) => addressOf('vault', i));
  const end = new Date(START + YEAR_DAYS * DAY_MS);
  const [row = {}] = await db.rows('SELECT count(*)::integer AS rows FROM vault_point');
  const [one = addressOf('vault', 0)] = vaults;
  const year = () => readPoints(db, VAULT_SERIES, [one], { start: new Date(START), end, step: HOUR });
  const month = { start: new Date(end.getTime() - MONTH_DAYS * DAY_MS), end, step: HOUR } as const;
  const sparklines = () => readPoints(db, VAULT_SERIES, vaults, month, ['tvlUsd']);
  const everything = () => readPoints(db, VAULT_SERIES, vaults, month);
  return {
    rows: Number(row.rows),
    year: await best(year),
    sparklines: await best(sparklines),
    everything: await best(everything),
  };
}

interface Cost {
  readonly ms: number;
  /** CPU time of this process, on all cores. */
  readonly cpuMs: number;
}

async function best(work: () => Promise<unknown>): Promise<Cost> {
  let [ms, cpuMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < READS; i += 1) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await work();
    const { user, system } = process.cpuUsage(used);
    ms = Math.min(ms, performance.now() - began);
    cpuMs = Math.min(cpuMs, (user + system) / 1_000);
  }
  return { ms, cpuMs };
}
