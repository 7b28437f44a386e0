import type { Address } from '@solana/kit';
import type { Rational } from '../../numeric/rational.ts';
import type { Sql, SqlValue } from '../sql.ts';
import { decimalText } from './decimals.ts';
import { addressesOf, addressOf, integerOf, optionalDecimalOf, optionalInstantOf, type Row } from './rows.ts';
import type { ObligationEntry } from './samples.ts';

export interface ObligationEntryFilter {
  readonly tag?: number | null | undefined;
  readonly depositReserve?: Address | null | undefined;
  readonly borrowReserve?: Address | null | undefined;
  /** In debt, with a health factor below this. */
  readonly healthBelow?: Rational | null | undefined;
}

/** Those that lack the value come last either way; equal ones are in the order of their addresses. */
export interface ObligationEntryOrder {
  readonly field: 'ADDRESS' | 'HEALTH' | 'DEPOSITED' | 'BORROWED' | 'NET_VALUE';
  readonly direction: 'ASC' | 'DESC';
}

/** The index is replaced as a whole, so places in it stay the same for as long as `madeAt` does. */
export interface ObligationEntryPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ObligationEntries {
  readonly entries: readonly ObligationEntry[];
  /** How many pass the filter, on any page. */
  readonly count: number;
  /** When the market was scanned; null when it never was. */
  readonly madeAt: Date | null;
}

/** Compared byte by byte whatever the database's language, as addresses are everywhere else. */
const ADDRESS = 'obligation COLLATE "C"';

const ORDERED_BY: { readonly [F in ObligationEntryOrder['field']]: string } = {
  ADDRESS,
  HEALTH: 'health_factor',
  DEPOSITED: 'deposit_usd',
  BORROWED: 'borrow_usd',
  NET_VALUE: '(deposit_usd - borrow_usd)',
};

/** A page of the obligations of a market, as its last scan saw them. One statement. */
export async function readObligationEntries(
  sql: Sql,
  market: Address,
  filter: ObligationEntryFilter,
  order: ObligationEntryOrder,
  { limit, offset }: ObligationEntryPage,
): Promise<ObligationEntries> {
  const params: SqlValue[] = [market, limit, offset];
  const passing = conditionsOf(filter, params);
  const rows = await sql.rows(entriesStatement(passing, order), params);
  const [first = { count: 0, made_at: null }] = rows;
  return {
    entries: rows.filter(({ obligation }) => obligation !== null).map(entryOf),
    count: integerOf(first, 'count'),
    madeAt: optionalInstantOf(first, 'made_at'),
  };
}

function conditionsOf(filter: ObligationEntryFilter, params: SqlValue[]): string {
  const given = (value: SqlValue) => `$${params.push(value)}`;
  const idOf = (reserve: Address) => `(SELECT id FROM subject WHERE address = ${given(reserve)}::text)`;
  const { tag, depositReserve, borrowReserve, healthBelow } = filter;
  const conditions = ['e.market_id = m.id'];
  if (tag !== undefined && tag !== null) conditions.push(`e.tag = ${given(tag)}::integer`);
  if (depositReserve) conditions.push(`${idOf(depositReserve)} = ANY(e.deposit_reserve_ids)`);
  if (borrowReserve) conditions.push(`${idOf(borrowReserve)} = ANY(e.borrow_reserve_ids)`);
  if (healthBelow) conditions.push(`e.health_factor < ${given(decimalText(healthBelow))}::numeric`);
  return conditions.join(' AND ');
}

/** The market's own row is always there, so that a page without entries still has its count and time. */
function entriesStatement(passing: string, { field, direction }: ObligationEntryOrder): string {
  const addresses = (
    ids: string,
  ) => `ARRAY(SELECT s.address FROM unnest(e.${ids}) WITH ORDINALITY AS u(id, nth)
    JOIN subject s ON s.id = u.id ORDER BY u.nth)::text`;
  return `SELECT c.count, date_part('epoch', l.sampled_at) * 1000 AS made_at, e.obligation, e.owner, e.tag,
      e.deposit_usd::text AS deposit_usd, e.borrow_usd::text AS borrow_usd, e.health_factor::text AS health_factor,
      ${addresses('deposit_reserve_ids')} AS deposit_reserves, ${addresses('borrow_reserve_ids')} AS borrow_reserves
    FROM subject m
    CROSS JOIN LATERAL (SELECT count(*)::integer AS count FROM obligation_entry e WHERE ${passing}) c
    LEFT JOIN LATERAL (
      SELECT sampled_at FROM leverage_point WHERE market_id = m.id ORDER BY bucket DESC LIMIT 1
    ) l ON true
    LEFT JOIN LATERAL (
      SELECT e.*, row_number() OVER (ORDER BY ${ORDERED_BY[field]} ${direction} NULLS LAST, ${ADDRESS}) AS place
      FROM obligation_entry e WHERE ${passing}
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
