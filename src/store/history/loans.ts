import type { Address } from '@solana/kit';
import { decimalText } from '../decimals.ts';
import { decimalOf, instantOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import type { LoanSample } from './samples.ts';
import { bucketOf, HOUR, instantText, type TimeSpan } from './time-buckets.ts';

/** Loans of some markets in one hour. */
export interface LoanPoint extends LoanSample {
  /** Start of the hour. */
  readonly bucket: Date;
  readonly sampledAt: Date;
}

/** Replaces the point of the scan's hour. */
export async function replaceLoanPoint(
  sql: Sql,
  marketId: number,
  sampledAt: Date,
  loans: LoanSample,
): Promise<void> {
  const bucket = instantText(bucketOf(sampledAt, HOUR));
  const { HEALTHY, AT_RISK, LIQUIDATABLE } = loans.byStatus;
  await sql.run('DELETE FROM loan_point WHERE market_id = $1::integer AND bucket = $2::timestamptz', [
    marketId,
    bucket,
  ]);
  await sql.run(
    `INSERT INTO loan_point (market_id, bucket, sampled_at, loans, unvalued, deposited_usd, borrowed_usd, factored_usd,
       max_ltv, healthy, at_risk, liquidatable)
     VALUES ($1::integer, $2::timestamptz, $3::timestamptz, $4::integer, $5::integer, $6::numeric, $7::numeric,
       $8::numeric, $9::numeric, $10::integer, $11::integer, $12::integer)`,
    [
      marketId,
      bucket,
      instantText(sampledAt),
      loans.loans,
      loans.unvalued,
      decimalText(loans.depositedUsd),
      decimalText(loans.borrowedUsd),
      decimalText(loans.factoredUsd),
      decimalText(loans.maxLtv),
      HEALTHY,
      AT_RISK,
      LIQUIDATABLE,
    ],
  );
}

/** Loans of all the markets together, one point per hour with a scan of any of them, ascending. One statement. */
export async function readLoanPoints(
  sql: Sql,
  markets: readonly Address[],
  { start, end }: TimeSpan,
): Promise<LoanPoint[]> {
  const rows = await sql.rows(
    `SELECT date_part('epoch', p.bucket) * 1000 AS bucket, date_part('epoch', max(p.sampled_at)) * 1000 AS sampled_at,
       sum(p.loans)::integer AS loans, sum(p.unvalued)::integer AS unvalued,
       sum(p.deposited_usd)::text AS deposited_usd, sum(p.borrowed_usd)::text AS borrowed_usd,
       sum(p.factored_usd)::text AS factored_usd, max(p.max_ltv)::text AS max_ltv,
       sum(p.healthy)::integer AS healthy, sum(p.at_risk)::integer AS at_risk,
       sum(p.liquidatable)::integer AS liquidatable
     FROM loan_point p JOIN subject m ON m.id = p.market_id
     WHERE m.address = ANY($1::text[]) AND p.bucket >= $2::timestamptz AND p.bucket < $3::timestamptz
     GROUP BY p.bucket ORDER BY p.bucket`,
    [markets, instantText(start), instantText(end)],
  );
  return rows.map((row) => ({
    bucket: instantOf(row, 'bucket'),
    sampledAt: instantOf(row, 'sampled_at'),
    loans: integerOf(row, 'loans'),
    unvalued: integerOf(row, 'unvalued'),
    depositedUsd: decimalOf(row, 'deposited_usd'),
    borrowedUsd: decimalOf(row, 'borrowed_usd'),
    factoredUsd: decimalOf(row, 'factored_usd'),
    maxLtv: decimalOf(row, 'max_ltv'),
    byStatus: {
      HEALTHY: integerOf(row, 'healthy'),
      AT_RISK: integerOf(row, 'at_risk'),
      LIQUIDATABLE: integerOf(row, 'liquidatable'),
    },
  }));
}
