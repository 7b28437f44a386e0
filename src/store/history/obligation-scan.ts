import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { decimalText } from '../decimals.ts';
import { fenced } from '../leases/fencing-token.ts';
import { refuse } from '../rows.ts';
import type { Database, Sql, SqlValue } from '../sql.ts';
import { addressIds } from './address-ids.ts';
import { replaceLoanPoint } from './loans.ts';
import type { CollateralUseSample, LeverageSample, LoanSample, ObligationEntry } from './samples.ts';
import { bucketOf, HOUR, instantText } from './time-buckets.ts';

/** The result of scanning all obligations of a market. */
export interface ObligationScan {
  readonly sampledAt: Date;
  readonly leverage: readonly LeverageSample[];
  readonly entries: readonly ObligationEntry[];
  readonly collateral: readonly CollateralUseSample[];
  readonly loans: LoanSample;
}

const ROWS_PER_STATEMENT = 5_000;

/**
 * Records the leverage and the loans of the scan's hour and replaces the market's obligation index and the use of its collateral, in
 * one transaction.
 *
 * @throws NOT_LEADER
 */
export async function writeObligationScan(
  db: Database,
  fence: bigint,
  market: Address,
  scan: ObligationScan,
): Promise<void> {
  const ids = await addressIds(db, addressesIn(market, scan));
  const idOf = (address: Address) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  await fenced(db, fence, async (sql) => {
    await replaceLeverage(sql, idOf(market), scan, idOf);
    await replaceCollateralUse(sql, idOf(market), scan, idOf);
    await replaceLoanPoint(sql, idOf(market), scan.sampledAt, scan.loans);
    await sql.run('DELETE FROM obligation_entry WHERE market_id = $1::integer', [idOf(market)]);
    for (let from = 0; from < scan.entries.length; from += ROWS_PER_STATEMENT) {
      const page = scan.entries.slice(from, from + ROWS_PER_STATEMENT);
      await insertEntries(sql, idOf(market), scan.sampledAt, page, idOf);
    }
  });
}

function* addressesIn(market: Address, { leverage, entries }: ObligationScan): Generator<Address> {
  yield market;
  for (const { depositReserve, borrowReserve } of leverage) yield* [depositReserve, borrowReserve];
  for (const { depositReserves, borrowReserves } of entries) {
    yield* depositReserves;
    yield* borrowReserves;
  }
}

const textOrNull = (value: Rational | null): string | null => (value === null ? null : decimalText(value));

/**
 * The row without reserves stands for the scan itself: it records that a market was scanned, and when, even
 * when no pair and no obligation was found.
 */
async function replaceLeverage(
  sql: Sql,
  marketId: number,
  { sampledAt, leverage, entries }: ObligationScan,
  idOf: (address: Address) => number,
): Promise<void> {
  const bucket = instantText(bucketOf(sampledAt, HOUR));
  await sql.run('DELETE FROM leverage_point WHERE market_id = $1::integer AND bucket = $2::timestamptz', [
    marketId,
    bucket,
  ]);
  const lists: readonly SqlValue[] = [
    [0, ...leverage.map(({ depositReserve }) => idOf(depositReserve))],
    [0, ...leverage.map(({ borrowReserve }) => idOf(borrowReserve))],
    [0, ...leverage.map(({ tag }) => tag)],
    [entries.length, ...leverage.map(({ obligations }) => obligations)],
    ['0', ...leverage.map(({ avgLeverage }) => decimalText(avgLeverage))],
    ['0', ...leverage.map(({ deposited }) => decimalText(deposited))],
    ['0', ...leverage.map(({ borrowed }) => decimalText(borrowed))],
    [null, ...leverage.map(({ depositedUsd }) => textOrNull(depositedUsd))],
    [null, ...leverage.map(({ borrowedUsd }) => textOrNull(borrowedUsd))],
  ];
  await sql.run(
    `INSERT INTO leverage_point (market_id, bucket, sampled_at, deposit_reserve_id, borrow_reserve_id, tag, obligations,
       avg_leverage, deposited, borrowed, deposited_usd, borrowed_usd)
     SELECT $1::integer, $2::timestamptz, $3::timestamptz, u.*
     FROM unnest($4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::numeric[], $9::numeric[],
       $10::numeric[], $11::numeric[], $12::numeric[]) AS u`,
    [marketId, bucket, instantText(sampledAt), ...lists],
  );
}

async function replaceCollateralUse(
  sql: Sql,
  marketId: number,
  { sampledAt, collateral }: ObligationScan,
  idOf: (address: Address) => number,
): Promise<void> {
  await sql.run('DELETE FROM collateral_use WHERE market_id = $1::integer', [marketId]);
  await sql.run(
    `INSERT INTO collateral_use (market_id, sampled_at, deposit_reserve_id, borrow_reserve_id, collateral_usd, debt_usd)
     SELECT $1::integer, $2::timestamptz, u.*
     FROM unnest($3::integer[], $4::integer[], $5::numeric[], $6::numeric[]) AS u`,
    [
      marketId,
      instantText(sampledAt),
      [0, ...collateral.map(({ depositReserve }) => idOf(depositReserve))],
      [0, ...collateral.map(({ borrowReserve }) => idOf(borrowReserve))],
      [null, ...collateral.map(({ collateralUsd }) => textOrNull(collateralUsd))],
      [null, ...collateral.map(({ debtUsd }) => textOrNull(debtUsd))],
    ],
  );
}

async function insertEntries(
  sql: Sql,
  marketId: number,
  sampledAt: Date,
  entries: readonly ObligationEntry[],
  idOf: (address: Address) => number,
): Promise<void> {
  const list = (addresses: readonly Address[]) => `{${addresses.map(idOf).join(',')}}`;
  await sql.run(
    `INSERT INTO obligation_entry (market_id, made_at, obligation, owner, tag, deposit_reserve_ids, borrow_reserve_ids,
       deposit_usd, borrow_usd, health_factor)
     SELECT $1::integer, $2::timestamptz, obligation, owner, tag, deposits::integer[], borrows::integer[],
       deposit_usd, borrow_usd, health_factor
     FROM unnest($3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::numeric[], $9::numeric[],
       $10::numeric[]) AS u(obligation, owner, tag, deposits, borrows, deposit_usd, borrow_usd, health_factor)`,
    [
      marketId,
      instantText(sampledAt),
      entries.map(({ obligation }) => obligation),
      entries.map(({ owner }) => owner),
      entries.map(({ tag }) => tag),
      entries.map(({ depositReserves }) => list(depositReserves)),
      entries.map(({ borrowReserves }) => list(borrowReserves)),
      entries.map(({ depositUsd }) => textOrNull(depositUsd)),
      entries.map(({ borrowUsd }) => textOrNull(borrowUsd)),
      entries.map(({ healthFactor }) => textOrNull(healthFactor)),
    ],
  );
}
