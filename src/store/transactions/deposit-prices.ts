import type { Address } from '@solana/kit';
import { Rational } from '../../numeric/rational.ts';
import { bigintOf, instantOf, integerOf } from '../history/rows.ts';
import { instantText, type TimeSpan } from '../history/steps.ts';
import type { Sql } from '../sql.ts';

/** Whose deposits, and from when to when. */
export interface DepositsAsk extends TimeSpan {
  readonly vault: Address;
}

/** What a deposit paid for a share. */
export interface DepositPrice {
  readonly time: Date;
  readonly tokensPerShare: Rational;
}

/**
 * What the last deposit of anybody on each UTC day paid, ascending: what a share was worth before it was recorded. One
 * statement, however many vaults.
 */
export async function depositPrices(
  sql: Sql,
  asks: readonly DepositsAsk[],
): Promise<(readonly DepositPrice[])[]> {
  const lists = asks.map((): DepositPrice[] => []);
  if (asks.length === 0) return lists;
  const rows = await sql.rows(STATEMENT, [
    asks.map(({ vault }) => vault),
    asks.map(({ start }) => instantText(start)),
    asks.map(({ end }) => instantText(end)),
  ]);
  for (const row of rows) {
    lists[integerOf(row, 'asked') - 1]?.push({
      time: instantOf(row, 'block_time'),
      tokensPerShare: Rational.of(bigintOf(row, 'tokens'), bigintOf(row, 'shares')).reduced(),
    });
  }
  return lists;
}

const STATEMENT = `SELECT a.asked::integer AS asked, t.*
  FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) WITH ORDINALITY AS a(address, start, "end", asked)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT DISTINCT ON (floor(date_part('epoch', e.block_time) / 86400))
      date_part('epoch', e.block_time) * 1000 AS block_time, e.tokens::text AS tokens, e.shares::text AS shares
    FROM vault_event e
    WHERE e.vault_id = s.id AND e.kind = 'deposit' AND e.tokens IS NOT NULL AND e.shares > 0
      AND e.block_time >= a.start AND e.block_time < a."end"
    ORDER BY floor(date_part('epoch', e.block_time) / 86400), e.slot DESC, COALESCE(e.place, 0) DESC
  ) t
  ORDER BY a.asked, t.block_time`;
