import type { Address } from '@solana/kit';
import { addressOf, instantOf, optionalDecimalOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { CollateralUseSample } from './samples.ts';

/** The latest scan of a market. */
export interface CollateralUse {
  readonly sampledAt: Date;
  readonly pairs: readonly CollateralUseSample[];
}

/** The latest scan of each market; a market that was never scanned is not in the map. One statement. */
export async function readCollateralUse(
  sql: Sql,
  markets: readonly Address[],
): Promise<ReadonlyMap<Address, CollateralUse>> {
  const rows = markets.length === 0 ? [] : await sql.rows(STATEMENT, [[...new Set(markets)]]);
  const scans = new Map<Address, { sampledAt: Date; pairs: CollateralUseSample[] }>();
  for (const row of rows) {
    const market = addressOf(row, 'market');
    const scan = scans.get(market) ?? { sampledAt: instantOf(row, 'sampled_at'), pairs: [] };
    scans.set(market, scan);
    if (row.deposit_reserve === null) continue;
    scan.pairs.push({
      depositReserve: addressOf(row, 'deposit_reserve'),
      borrowReserve: addressOf(row, 'borrow_reserve'),
      collateralUsd: optionalDecimalOf(row, 'collateral_usd'),
      debtUsd: optionalDecimalOf(row, 'debt_usd'),
    });
  }
  return scans;
}

const STATEMENT = `SELECT m.address AS market, d.address AS deposit_reserve, b.address AS borrow_reserve,
    u.collateral_usd::text AS collateral_usd, u.debt_usd::text AS debt_usd,
    date_part('epoch', u.sampled_at) * 1000 AS sampled_at
  FROM unnest($1::text[]) AS a(address)
  JOIN subject m ON m.address = a.address
  JOIN collateral_use u ON u.market_id = m.id
  LEFT JOIN subject d ON d.id = u.deposit_reserve_id
  LEFT JOIN subject b ON b.id = u.borrow_reserve_id`;
