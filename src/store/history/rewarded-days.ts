import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { decimalOf, integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { bucketOf, DAY, instantText } from './time-buckets.ts';

/** Totals over all days of the vaults that consist of the same number of samples. */
export interface RewardedDays {
  /** Whether this is the day in progress at the given instant. */
  readonly running: boolean;
  readonly samples: number;
  /** Sum over the days of (sum of the samples' reward APYs on reserves) times the vault's USD value. */
  readonly yieldTimesUsd: Rational;
}

/**
 * The inputs for summing rewards on reserves over all recorded days. Only sums and products, which the
 * database computes exactly; the caller divides by the samples. One statement.
 */
export async function rewardedDays(
  sql: Sql,
  vaults: readonly Address[],
  at: Date,
): Promise<readonly RewardedDays[]> {
  if (vaults.length === 0) return [];
  const rows = await sql.rows(STATEMENT, [[...new Set(vaults)], instantText(bucketOf(at, DAY))]);
  return rows.map((row) => ({
    running: row.running === true,
    samples: integerOf(row, 'samples'),
    yieldTimesUsd: decimalOf(row, 'product'),
  }));
}

const STATEMENT = `SELECT d.running, d.samples, sum(d.product)::text AS product
  FROM unnest($1::text[]) AS a(address)
  JOIN subject s ON s.address = a.address
  CROSS JOIN LATERAL (
    SELECT p.bucket = $2::timestamptz AS running, p.samples, p.apy_reserves_incentives_sum * p.tvl_usd AS product
    FROM vault_point p
    WHERE p.vault_id = s.id AND p.step = ${DAY} AND p.bucket <= $2::timestamptz AND p.tvl_usd IS NOT NULL
    OFFSET 0
  ) d
  GROUP BY d.running, d.samples`;
