import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { Client } from 'pg';
import { SluiceError } from '../errors/sluice-error.ts';
import { PACKAGE_FOLDER } from '../node/package-files.ts';
import { connectionOf } from './connection.ts';
import { databaseError } from './database-error.ts';

const FOLDER = new URL('prisma/migrations/', PACKAGE_FOLDER);

/** The advisory lock that `prisma migrate` takes, so the two exclude each other. Taken only if there is something to apply. */
const LOCK = 72_707_369;

/**
 * The same definition that Prisma uses: `prisma migrate status` and `deploy` must be able to read the table.
 */
const TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface Migration {
  readonly name: string;
  readonly script: string;
  readonly checksum: string;
}

/**
 * Brings the schema up to date and returns the names of the migrations that this call applied. Safe to call
 * from many processes at once: each migration is one transaction under one lock, so one process applies it
 * and the others find it done.
 *
 * @throws SluiceError HISTORY_SCHEMA_UNKNOWN when the database has a migration that is not ours
 */
export async function migrate(url: string, folder: URL = FOLDER): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  // Loaded lazily: a gateway starts reading the chain before it needs the driver.
  const { Client } = await import('pg');
  const client = new Client(connectionOf(url));
  // Without a listener, a dropped connection would end the process. The pending statement fails on its own.
  client.on('error', () => {});
  try {
    await client.connect();
    if (await isUpToDate(client, migrations)) return [];
    const applied: string[] = [];
    for (;;) {
      const name = await applyNext(client, migrations);
      if (name === null) return applied;
      applied.push(name);
    }
  } catch (error) {
    throw databaseError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

async function readMigrations(folder: URL): Promise<readonly Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.sort().map(async (name) => {
      const file = await readFile(new URL(`${name}/migration.sql`, folder), 'utf8');
      // A checkout with CRLF line endings is the same migration.
      const script = file.replaceAll('\r\n', '\n');
      return { name, script, checksum: createHash('sha256').update(script).digest('hex') };
    }),
  );
}

/** Applies the first migration that the database lacks. Null when it is up to date. */
async function applyNext(client: Client, migrations: readonly Migration[]): Promise<string | null> {
  await client.query('BEGIN');
  try {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(TABLE);
    const done = await appliedIn(client, migrations);
    const next = migrations.find((migration) => !done.has(migration.name));
    if (next !== undefined) {
      await client.query(next.script);
      await client.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
         SELECT $1, $2, $3, t, t, 1
         FROM (SELECT greatest(clock_timestamp(), max(finished_at)) AS t FROM _prisma_migrations) AS moment`,
        [randomUUID(), next.checksum, next.name],
      );
    }
    await client.query('COMMIT');
    return next?.name ?? null;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** False also if something is wrong: another process may be migrating, so the lock has to be held to tell. */
async function isUpToDate(client: Client, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`,
  );
  if (rows[0]?.exists !== true) return false;
  const found = await foundIn(client);
  return found.length === migrations.length && found.every((row) => problemOf(row, migrations) === null);
}

async function appliedIn(client: Client, migrations: readonly Migration[]): Promise<ReadonlySet<string>> {
  const found = await foundIn(client);
  for (const row of found) {
    const reason = problemOf(row, migrations);
    if (reason !== null) throw new SluiceError('HISTORY_SCHEMA_UNKNOWN', { migration: row.name, reason });
  }
  return new Set(found.map((row) => row.name));
}

interface FoundMigration {
  readonly name: string;
  readonly checksum: string;
  readonly finished: boolean;
}

async function foundIn(client: Client): Promise<readonly FoundMigration[]> {
  const { rows } = await client.query<FoundMigration>(
    `SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS finished
     FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  return rows;
}

function problemOf(
  { name, checksum, finished }: FoundMigration,
  migrations: readonly Migration[],
): string | null {
  const ours = migrations.find((migration) => migration.name === name);
  if (ours === undefined) return 'is not known to this version';
  if (!finished) return 'failed half-way and was not resolved';
  return ours.checksum === checksum ? null : 'does not match the script of this version';
}
