import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { decimalText } from '../decimals.ts';
import {
  addressesOf,
  addressOf,
  integerOf,
  optionalDecimalOf,
  optionalInstantOf,
  type Row,
} from '../rows.ts';
import type { Sql, SqlValue } from '../sql.ts';
import type { ObligationEntry } from './samples.ts';

export interface ObligationEntryFilter {
  readonly tag?: number | null | undefined;
  readonly depositReserve?: Address | null | undefined;
  readonly borrowReserve?: Address | null | undefined;
  /** Keeps obligations with debt and a health factor below this. */
  readonly healthBelow?: Rational | null | undefined;
}

/** Obligations without the value come last in either direction; ties are ordered by address. */
export interface ObligationEntryOrder {
  readonly field: 'ADDRESS' | 'HEALTH' | 'DEPOSITED' | 'BORROWED' | 'NET_VALUE';
  readonly direction: 'ASC' | 'DESC';
}

/** Each scan replaces the whole index, so offsets stay valid while `madeAt` does not change. */
export interface ObligationEntryPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ObligationEntries {
  readonly entries: readonly ObligationEntry[];
  /** Number that match the filter, across all pages. */
  readonly count: number;
  /** When the market was scanned; null when it never was. */
  readonly madeAt: Date | null;
}

/** Byte order, independent of the database's collation, as everywhere else. */
const ADDRESS = 'obligation COLLATE "C"';

const ORDERED_BY: { readonly [F in ObligationEntryOrder['field']]: string } = {
  ADDRESS,
  HEALTH: 'health_factor',
  DEPOSITED: 'deposit_usd',
  BORROWED: 'borrow_usd',
  NET_VALUE: '(deposit_usd - borrow_usd)',
};

/** One page of a market's obligations, from its latest scan. One statement. */
export async function readObligationEntries(
  sql: Sql,
  market: Address,
  filter: ObligationEntryFilter,
  order: ObligationEntryOrder,
  { limit, offset }: ObligationEntryPage,
): Promise<ObligationEntries> {
  const params: SqlValue[] = [market, limit, offset];
  const matching = conditionsOf(filter, params);
  const rows = await sql.rows(entriesStatement(matching, order), params);
  const [first = { count: 0, made_at: null }] = rows;
  return {
    entries: rows.filter(({ obligation }) => obligation !== null).map(entryOf),
    count: integerOf(first, 'count'),
    madeAt: optionalInstantOf(first, 'made_at'),
  };
}

function conditionsOf(filter: ObligationEntryFilter, params: SqlValue[]): string {
  const param = (value: SqlValue) => `$${params.push(value)}`;
  const idOf = (reserve: Address) => `(SELECT id FROM subject WHERE address = ${param(reserve)}::text)`;
  const { tag, depositReserve, borrowReserve, healthBelow } = filter;
  const conditions = ['e.market_id = m.id'];
  if (tag !== undefined && tag !== null) conditions.push(`e.tag = ${param(tag)}::integer`);
  if (depositReserve) conditions.push(`${idOf(depositReserve)} = ANY(e.deposit_reserve_ids)`);
  if (borrowReserve) conditions.push(`${idOf(borrowReserve)} = ANY(e.borrow_reserve_ids)`);
  if (healthBelow) conditions.push(`e.health_factor < ${param(decimalText(healthBelow))}::numeric`);
  return conditions.join(' AND ');
}

/** The market's row is always returned, so a page without entries still has a count and a time. */
function entriesStatement(matching: string, { field, direction }: ObligationEntryOrder): string {
  const addresses = (
    ids: string,
  ) => `ARRAY(SELECT s.address FROM unnest(e.${ids}) WITH ORDINALITY AS u(id, nth)
    JOIN subject s ON s.id = u.id ORDER BY u.nth)::text`;
  return `SELECT c.count, date_part('epoch', l.sampled_at) * 1000 AS made_at, e.obligation, e.owner, e.tag,
      e.deposit_usd::text AS deposit_usd, e.borrow_usd::text AS borrow_usd, e.health_factor::text AS health_factor,
      ${addresses('deposit_reserve_ids')} AS deposit_reserves, ${addresses('borrow_reserve_ids')} AS borrow_reserves
    FROM subject m
    CROSS JOIN LATERAL (SELECT count(*)::integer AS count FROM obligation_entry e WHERE ${matching}) c
    LEFT JOIN LATERAL (
      SELECT sampled_at FROM leverage_point WHERE market_id = m.id ORDER BY bucket DESC LIMIT 1
    ) l ON true
    LEFT JOIN LATERAL (
      SELECT e.*, row_number() OVER (ORDER BY ${ORDERED_BY[field]} ${direction} NULLS LAST, ${ADDRESS}) AS place
      FROM obligation_entry e WHERE ${matching}
      ORDER BY ${ORDERED_BY[field]} ${direction} NULLS LAST, ${ADDRESS} LIMIT $2::integer OFFSET $3::integer
    ) e ON true
    WHERE m.address = $1::text
    ORDER BY e.place`;
}

function entryOf(row: Row): ObligationEntry {
  return {
    obligation: addressOf(row, 'obligation'),
    owner: addressOf(row, 'owner'),
    tag: integerOf(row, 'tag'),
    depositReserves: addressesOf(row, 'deposit_reserves'),
    borrowReserves: addressesOf(row, 'borrow_reserves'),
    depositUsd: optionalDecimalOf(row, 'deposit_usd'),
    borrowUsd: optionalDecimalOf(row, 'borrow_usd'),
    healthFactor: optionalDecimalOf(row, 'health_factor'),
  };
}
