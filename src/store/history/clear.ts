import type { Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';

const OTHERS = [
  'leverage_point',
  'obligation_entry',
  'snapshot',
  'tidied',
  'reserve_config',
  'vault_event',
  'lending_event',
  'ingest_cursor',
  'ingest_missing',
  'ingest_problem',
  'subject',
];

/** Forgets everything that was recorded. For a chain that began anew; fences go on. */
export async function clearHistory(sql: Sql): Promise<void> {
  await sql.run(`TRUNCATE ${[...ALL_TABLES.map(({ name }) => name), ...OTHERS].join(', ')} RESTART IDENTITY`);
}
