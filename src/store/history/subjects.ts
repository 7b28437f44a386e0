import type { Address } from '@solana/kit';
import type { Database, Sql } from '../sql.ts';
import { integerOf, textOf } from './rows.ts';

/** An id never changes and is never taken away, so what was read once stays true for as long as the database does. */
const known = new WeakMap<Database, Map<string, number>>();

/**
 * The ids of addresses; those that have none get one. Written outside of any transaction: an address is a name, not
 * history, and an id that a rollback took back must not be remembered.
 */
export async function subjectIds(
  db: Database,
  addresses: Iterable<Address>,
): Promise<ReadonlyMap<string, number>> {
  const ids = known.get(db) ?? new Map<string, number>();
  known.set(db, ids);
  const unknown = new Set<string>();
  for (const address of addresses) if (!ids.has(address)) unknown.add(address);
  if (unknown.size === 0) return ids;
  // In one order everywhere, so that two writers cannot wait for each other.
  const missing = [...unknown].sort();
  await learn(db, missing, ids);
  const unnamed = missing.filter((address) => !ids.has(address));
  if (unnamed.length === 0) return ids;
  await db.run(
    'INSERT INTO subject (address) SELECT address FROM unnest($1::text[]) AS u(address) ON CONFLICT DO NOTHING',
    [unnamed],
  );
  await learn(db, unnamed, ids);
  return ids;
}

/** All ids there are, and the 0 that stands for the side that a pair does not have. */
export async function everySubjectId(sql: Sql): Promise<readonly number[]> {
  const rows = await sql.rows('SELECT id FROM subject');
  return [0, ...rows.map((row) => integerOf(row, 'id'))];
}

async function learn(sql: Sql, addresses: readonly string[], ids: Map<string, number>): Promise<void> {
  const rows = await sql.rows('SELECT id, address FROM subject WHERE address = ANY($1::text[])', [addresses]);
  for (const row of rows) ids.set(textOf(row, 'address'), integerOf(row, 'id'));
}
