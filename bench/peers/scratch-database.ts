import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

const SERVER = process.env.TEST_DATABASE_URL ?? 'postgresql://postgres@127.0.0.1:5432/test';

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface ScratchDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Creates an empty database on the test server; null when there is no server. */
export async function scratchDatabase(): Promise<ScratchDatabase | null> {
  const name = `sluice_peers_${randomBytes(6).toString('hex')}`;
  try {
    await administer(`CREATE DATABASE ${name}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    process.stderr.write(
      `no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, measuring without it: ${why}\n`,
    );
    return null;
  }
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}
