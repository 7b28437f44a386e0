import type { Address } from '@solana/kit';
import type { Tables } from '../sql.ts';
import type { TransactionRef } from './cursors.ts';

/** A transaction that a node listed but did not return. */
export interface MissingTransaction extends TransactionRef {
  readonly reason: string;
}

/** Records missing transactions and removes those that were found. */
export async function writeMissing(
  tables: Tables,
  addressId: number,
  { missing, found }: { readonly missing: readonly MissingTransaction[]; readonly found: readonly string[] },
): Promise<void> {
  if (found.length > 0) {
    await tables.models.ingestMissing.deleteMany({ where: { addressId, signature: { in: [...found] } } });
  }
  if (missing.length === 0) return;
  await tables.run(
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
  { models }: Tables,
  address: Address,
  before: Date,
  limit: number,
): Promise<TransactionRef[]> {
  const subject = await models.subject.findUnique({ where: { address } });
  if (subject === null) return [];
  return await models.ingestMissing.findMany({
    where: { addressId: subject.id, askedAt: { lt: before } },
    orderBy: [{ askedAt: 'asc' }, { signature: 'asc' }],
    take: limit,
    select: { signature: true, slot: true },
  });
}
