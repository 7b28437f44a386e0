import type { Address } from '@solana/kit';
import { bigintOf, textOf } from '../history/rows.ts';
import type { Sql } from '../sql.ts';
import type { TransactionRef } from './cursors.ts';

/** A transaction that a node listed but did not return. */
export interface MissingTransaction extends TransactionRef {
  readonly reason: string;
}

/** Records missing transactions and removes those that were found. */
export async function writeMissing(
  sql: Sql,
  addressId: number,
  { missing, found }: { readonly missing: readonly MissingTransaction[]; readonly found: readonly string[] },
): Promise<void> {
  if (found.length > 0) {
    await sql.run(
      'DELETE FROM ingest_missing WHERE address_id = $1::integer AND signature = ANY($2::text[])',
      [addressId, found],
    );
  }
  if (missing.length === 0) return;
  await sql.run(
    `INSERT INTO ingest_missing (address_id, signature, slot, reason, asked_at)
     SELECT $1::integer, signature, slot, reason, now()
     FROM unnest($2::text[], $3::bigint[], $4::text[]) AS u(signature, slot, reason)
     ON CONFLICT (address_id, signature) DO UPDATE SET reason = excluded.reason, asked_at = excluded.asked_at`,
    [
      addressId,
      missing.map(({ signature }) => signature),
      missing.map(({ slot }) => slot),
      missing.map(({ reason }) => reason),
    ],
  );
}

/** Missing transactions that were last requested before `before`, longest wait first. */
export async function readMissing(
  sql: Sql,
  address: Address,
  before: Date,
  limit: number,
): Promise<TransactionRef[]> {
  const rows = await sql.rows(
    `SELECT signature, slot::text AS slot FROM ingest_missing
     WHERE address_id = (SELECT id FROM subject WHERE address = $1::text) AND asked_at < $2::timestamptz
     ORDER BY asked_at, signature LIMIT $3::integer`,
    [address, before, limit],
  );
  return rows.map((row) => ({ signature: textOf(row, 'signature'), slot: bigintOf(row, 'slot') }));
}
