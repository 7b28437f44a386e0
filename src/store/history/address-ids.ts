import type { Address } from '@solana/kit';
import { integerOf, textOf } from '../rows.ts';
import type { Sql, SqlDatabase, Tables } from '../sql.ts';

/**
 * Ids by address. An id never changes and is never deleted, so cached ids stay valid as long as the database
 * is open.
 */
const known = new WeakMap<SqlDatabase, Map<string, number>>();

/**
 * The ids of addresses; new addresses get one. Written outside any transaction: an id that a rollback removed
 * must not be cached. SQL, because a process without Prisma writes points too.
 */
export async function addressIds(
  db: SqlDatabase,
  addresses: Iterable<Address>,
): Promise<ReadonlyMap<string, number>> {
  const ids = known.get(db) ?? new Map<string, number>();
  known.set(db, ids);
  const unknown = new Set<string>();
  for (const address of addresses) if (!ids.has(address)) unknown.add(address);
  if (unknown.size === 0) return ids;
  // Sorted, so that two writers cannot deadlock.
  const missing = [...unknown].sort();
  await loadIds(db, missing, ids);
  const unnamed = missing.filter((address) => !ids.has(address));
  if (unnamed.length === 0) return ids;
  await db.run(
    'INSERT INTO subject (address) SELECT address FROM unnest($1::text[]) AS u(address) ON CONFLICT DO NOTHING',
    [unnamed],
  );
  await loadIds(db, unnamed, ids);
  return ids;
}

/** All ids, and 0, which stands for the missing side of a pair. */
export async function allAddressIds({ models }: Tables): Promise<readonly number[]> {
  const rows = await models.subject.findMany({ select: { id: true } });
  return [0, ...rows.map(({ id }) => id)];
}

async function loadIds(sql: Sql, addresses: readonly string[], ids: Map<string, number>): Promise<void> {
  const rows = await sql.rows('SELECT id, address FROM subject WHERE address = ANY($1::text[])', [addresses]);
  for (const row of rows) ids.set(textOf(row, 'address'), integerOf(row, 'id'));
}
