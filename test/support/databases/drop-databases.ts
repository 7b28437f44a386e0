import { Client } from 'pg';
import { runPrefix, SERVER } from './test-run.ts';

/** Global teardown: drops the templates, and what killed workers have left. */
export async function teardown(): Promise<void> {
  const server = new Client({ connectionString: SERVER, connectionTimeoutMillis: 5_000 });
  try {
    await server.connect();
  } catch {
    return;
  }
  try {
    const { rows } = await server.query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [runPrefix(process.pid)],
    );
    for (const { datname } of rows) await server.query(`DROP DATABASE IF EXISTS ${datname} WITH (FORCE)`);
  } finally {
    await server.end();
  }
}
