import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../src/store/embedded/embedded-database.ts';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';

const MODULES = new URL('../../../node_modules/', import.meta.url);

export interface OpenTestDatabase {
  readonly url: string;
  close(): Promise<void>;
}

export interface TestDatabase {
  readonly name: 'PostgreSQL' | 'PGlite';
  /** An empty database that nobody else uses. */
  open(): Promise<OpenTestDatabase>;
}

const onServer: TestDatabase = {
  name: 'PostgreSQL',
  async open() {
    const name = `sluice_test_${randomBytes(6).toString('hex')}`;
    await administer(`CREATE DATABASE ${name}`);
    const url = new URL(SERVER);
    url.pathname = `/${name}`;
    return { url: url.href, close: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
  },
};

const embedded: TestDatabase = {
  name: 'PGlite',
  async open() {
    const { url, stop } = await startTestPglite('memory://');
    return { url, close: stop };
  },
};

/** Making a database takes seconds of both cores; this copies an empty one that was made before. */
export async function startTestPglite(dataDir: string): Promise<EmbeddedDatabase> {
  const manifest = await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = new URL('.cache/sluice/', MODULES);
  await mkdir(cache, { recursive: true });
  const template = fileURLToPath(new URL(`pglite-${version}.tar`, cache));
  return startEmbeddedDatabase(dataDir, { template, keepTemplate: true });
}

const serverAnswers = await administer('SELECT 1').then(
  () => true,
  () => false,
);

/** Both databases for `describe.each`. Without a server only the embedded one, except in CI, where that is a failure. */
export function databases(): readonly TestDatabase[] {
  return [...postgres(), embedded];
}

/** The server alone, for what the embedded database cannot do. */
export function postgres(): readonly TestDatabase[] {
  if (serverAnswers) return [onServer];
  const says = 'No PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432';
  if (process.env.CI === 'true') throw new Error(`${says}: CI must test with it.`);
  process.stderr.write(`${says}: its tests are left out.\n`);
  return [];
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
