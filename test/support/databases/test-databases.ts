import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '../../../src/store/embedded/embedded-database.ts';
import { runPrefix, SERVER } from './test-run.ts';

const MODULES = new URL('../../../node_modules/', import.meta.url);

export interface OpenTestDatabase {
  readonly url: string;
  close(): Promise<void>;
}

export interface TestDatabase {
  readonly name: 'PostgreSQL' | 'PGlite';
  /** An empty database for the caller alone. */
  open(): Promise<OpenTestDatabase>;
  /**
   * A copy of a database that `make` fills once in a test run. `make` must leave no connection open.
   * PGlite has no templates: there it is filled each time.
   */
  openCopy(template: string, make: (url: string) => Promise<void>): Promise<OpenTestDatabase>;
}

const PREFIX = runPrefix(process.ppid);

const onServer: TestDatabase = {
  name: 'PostgreSQL',
  open: () => create('template1'),
  async openCopy(template, make) {
    const name = `${PREFIX}template_${template}`;
    await withServer(async (server) => {
      // Another worker may be making it.
      await server.query('SELECT pg_advisory_lock(hashtext($1))', [name]);
      const { rowCount } = await server.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
      if (rowCount !== 0) return;
      const unfinished = `${name}_unfinished`;
      await server.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`);
      await server.query(`CREATE DATABASE ${unfinished}`);
      await make(urlOf(unfinished));
      await server.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}`);
    });
    return create(name);
  },
};

/** Instances of this worker that are empty again. Starting one takes seconds of processor time. */
const idle: EmbeddedDatabase[] = [];

const embedded: TestDatabase = {
  name: 'PGlite',
  async open() {
    const database = idle.pop() ?? (await startTestPglite('memory://'));
    return { url: database.url, close: () => recycle(database) };
  },
  async openCopy(_template, make) {
    const opened = await embedded.open();
    await make(opened.url);
    return opened;
  },
};

/** Starts from an empty database that was initialised earlier, which saves seconds of both cores. */
export async function startTestPglite(dataDir: string): Promise<EmbeddedDatabase> {
  const manifest = await readFile(new URL('@electric-sql/pglite/package.json', MODULES), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = new URL('.cache/sluice/', MODULES);
  await mkdir(cache, { recursive: true });
  const template = fileURLToPath(new URL(`pglite-${version}.tar`, cache));
  return startEmbeddedDatabase(dataDir, { template, createTemplate: true });
}

const serverAnswers = await withServer((server) => server.query('SELECT 1')).then(
  () => true,
  () => false,
);

/** Both databases for `describe.each`; PGlite alone where no server answers. In CI that is an error. */
export function databases(): readonly TestDatabase[] {
  return [...postgres(), embedded];
}

/** PostgreSQL alone, for what PGlite does not support. */
export function postgres(): readonly TestDatabase[] {
  if (serverAnswers) return [onServer];
  const message = 'No PostgreSQL answers at TEST_DATABASE_URL or 127.0.0.1:5432';
  if (process.env.CI === 'true') throw new Error(`${message}. CI must test with it.`);
  process.stderr.write(`${message}: its tests are skipped.\n`);
  return [];
}

async function recycle(database: EmbeddedDatabase): Promise<void> {
  if (database.ended.aborted) return;
  const client = new Client({ connectionString: database.url });
  try {
    await client.connect();
    await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    await client.end();
    idle.push(database);
  } catch {
    await database.stop();
  }
}

async function create(template: string): Promise<OpenTestDatabase> {
  const name = `${PREFIX}${randomBytes(6).toString('hex')}`;
  await withServer((server) => server.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
  return {
    url: urlOf(name),
    close: () =>
      withServer(async (server) => {
        await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }),
  };
}

function urlOf(name: string): string {
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return url.href;
}

async function withServer<T>(use: (server: Client) => Promise<T>): Promise<T> {
  const server = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await server.connect();
  try {
    return await use(server);
  } finally {
    await server.end();
  }
}
