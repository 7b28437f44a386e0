import type { Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';

const OTHER_TABLES = [
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

/**
 * Deletes everything recorded, for a chain that was restarted from genesis. Keeps the lease, so fencing
 * tokens keep increasing.
 */
export async function clearHistory(sql: Sql): Promise<void> {
  await sql.run(
    `TRUNCATE ${[...ALL_TABLES.map(({ name }) => name), ...OTHER_TABLES].join(', ')} RESTART IDENTITY`,
  );
}
