import type { Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';

/** Transactions read from the chain, and how far they are read. */
const TRANSACTION_TABLES = [
  'vault_event',
  'lending_event',
  'farm_event',
  'allocation_event',
  'queue_event',
  'ingest_cursor',
  'ingest_missing',
  'ingest_problem',
  'ingest_slots',
];
const OTHER_TABLES = [
  'leverage_point',
  'loan_point',
  'obligation_entry',
  'collateral_use',
  'snapshot',
  'tidied',
  'reserve_config',
  'subject',
];
/** They name a chain that starts over, and are signed with a secret that the process makes. */
const ALERT_TABLES = ['alert', 'alert_delivery'];

/**
 * Deletes everything recorded, for a chain that was restarted from genesis. Keeps the lease, so fencing
 * tokens keep increasing.
 */
export async function clearHistory(sql: Sql): Promise<void> {
  const tables = [
    ...ALL_TABLES.map(({ name }) => name),
    ...TRANSACTION_TABLES,
    ...OTHER_TABLES,
    ...ALERT_TABLES,
  ];
  await sql.run(`TRUNCATE ${tables.join(', ')} RESTART IDENTITY`);
}

/**
 * Deletes the transactions, so that the next request for an address reads them again. Keeps everything sampled.
 * @public for benches
 */
export async function clearTransactions(sql: Sql): Promise<void> {
  await sql.run(`TRUNCATE ${TRANSACTION_TABLES.join(', ')}`);
}
