import type { Address } from '@solana/kit';
import { addressOf, decimalOf, instantOf, integerOf, optionalDecimalOf, type Row } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { LeverageSample } from './samples.ts';

/** The latest scan of a market. */
export interface LeverageScan {
  readonly sampledAt: Date;
  /** All obligations of the market, of any kind. */
  readonly obligations: number;
  readonly leverage: readonly LeverageSample[];
}

/** The latest scan of each market; a market that was never scanned is not in the map. One statement. */
export async function readLeverage(
  sql: Sql,
  markets: readonly Address[],
): Promise<ReadonlyMap<Address, LeverageScan>> {
  const unique = [...new Set(markets)];
  const rows = unique.length === 0 ? [] : await sql.rows(STATEMENT, [unique]);
  const scans = new Map<Address, LeverageScan>();
  for (const market of unique) {
    const own = rows.filter((row) => row.market === market);
    const scan = own.find(isScan);
    if (scan === undefined) continue;
    scans.set(market, {
      sampledAt: instantOf(scan, 'sampled_at'),
      obligations: integerOf(scan, 'obligations'),
      leverage: own.filter((row) => !isScan(row)).map((row) => sampleOf(market, row)),
    });
  }
  return scans;
}

const isScan = (row: Row): boolean => row.deposit_reserve === null;

function sampleOf(market: Address, row: Row): LeverageSample {
  return {
    market,
    depositReserve: addressOf(row, 'deposit_reserve'),
    borrowReserve: addressOf(row, 'borrow_reserve'),
    tag: integerOf(row, 'tag'),
    obligations: integerOf(row, 'obligations'),
    avgLeverage: decimalOf(row, 'avg_leverage'),
    deposited: decimalOf(row, 'deposited'),
    borrowed: decimalOf(row, 'borrowed'),
    depositedUsd: optionalDecimalOf(row, 'deposited_usd'),
    borrowedUsd: optionalDecimalOf(row, 'borrowed_usd'),
  };
}

const STATEMENT = `SELECT m.address AS market, d.address AS deposit_reserve, b.address AS borrow_reserve, p.tag, p.obligations,
    date_part('epoch', p.sampled_at) * 1000 AS sampled_at, p.avg_leverage::text AS avg_leverage,
    p.deposited::text AS deposited, p.borrowed::text AS borrowed,
    p.deposited_usd::text AS deposited_usd, p.borrowed_usd::text AS borrowed_usd
  FROM unnest($1::text[]) AS a(address)
  JOIN subject m ON m.address = a.address
  CROSS JOIN LATERAL (
    SELECT bucket FROM leverage_point WHERE market_id = m.id ORDER BY bucket DESC LIMIT 1
  ) l
  JOIN leverage_point p ON p.market_id = m.id AND p.bucket = l.bucket
  LEFT JOIN subject d ON d.id = p.deposit_reserve_id
  LEFT JOIN subject b ON b.id = p.borrow_reserve_id
  ORDER BY market, deposit_reserve, borrow_reserve, p.tag`;
