import { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { instantText, type TimeSpan } from '../history/time-buckets.ts';
import { bigintOf, instantOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';

/** The vault and the time span. */
export interface DepositPricesRequest extends TimeSpan {
  readonly vault: Address;
}

/** The share price that a deposit paid. */
export interface DepositPrice {
  readonly time: Date;
  readonly tokensPerShare: Rational;
}

/**
 * The share price of the last deposit on each UTC day, by any wallet, ascending. Serves as share price for
 * times before recording began. One statement, however many vaults.
 */
export async function depositPrices(
  sql: Sql,
  requests: readonly DepositPricesRequest[],
): Promise<(readonly DepositPrice[])[]> {
  const lists = requests.map((): DepositPrice[] => []);
  if (requests.length === 0) return lists;
  const rows = await sql.rows(STATEMENT, [
    requests.map(({ vault }) => vault),
    requests.map(({ start }) => instantText(start)),
    requests.map(({ end }) => instantText(end)),
  ]);
  for (const row of rows) {
    lists[integerOf(row, 'input_index') - 1]?.push({
      time: instantOf(row, 'block_time'),
      tokensPerShare: Rational.of(bigintOf(row, 'tokens'), bigintOf(row, 'shares')).reduced(),
    });
  }
  return lists;
}

const STATEMENT = `SELECT a.input_index::integer AS input_index, t.*
  FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS a(address, start, "end", input_index)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (floor(date_part('epoch', e.block_time) / 86400))
      date_part('epoch', e.block_time) * 1000 AS block_time, e.tokens::text AS tokens, e.shares::text AS shares
    FROM vault_event e
    WHERE e.vault_id = s.id AND e.kind = 'deposit' AND e.tokens IS NOT NULL AND e.shares > 0
      AND e.block_time >= a.start AND e.block_time < a."end"
    ORDER BY floor(date_part('epoch', e.block_time) / 86400), e.slot DESC, COALESCE(e.place, 0) DESC
  ) t
  ORDER BY a.input_index, t.block_time`;
