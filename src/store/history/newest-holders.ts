import type { Address } from '@solana/kit';
import { addressOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { instantText, STEPS } from './time-buckets.ts';

/**
 * Number of the newest buckets of each step to search. Holders are counted every hour, so one of them has a
 * count.
 */
const BUCKETS = 200;

/**
 * The newest holder count of each vault at or before an instant; vaults that were never counted are not in
 * the map.
 */
export async function newestHolders(
  sql: Sql,
  vaults: readonly Address[],
  at: Date,
): Promise<ReadonlyMap<Address, number>> {
  if (vaults.length === 0) return new Map();
  const rows = await sql.rows(STATEMENT, [[...new Set(vaults)], STEPS, instantText(at)]);
  return new Map(rows.map((row) => [addressOf(row, 'address'), integerOf(row, 'holders')]));
}

const STATEMENT = `SELECT s.address, n.holders
  FROM unnest($1::text[]) AS a(address)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT c.holders FROM unnest($2::integer[]) AS k(step)
    CROSS JOIN LATERAL (
      SELECT l.holders, l.sampled_at FROM (
        SELECT p.bucket, p.holders, p.sampled_at FROM vault_point p
        WHERE p.vault_id = s.id AND p.step = k.step AND p.bucket <= $3::timestamptz
        ORDER BY p.bucket DESC LIMIT ${BUCKETS}
      ) l
      WHERE l.holders IS NOT NULL ORDER BY l.bucket DESC LIMIT 1
    ) c
    ORDER BY c.sampled_at DESC LIMIT 1
  ) n`;
