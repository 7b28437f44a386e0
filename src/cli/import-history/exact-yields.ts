import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import type { Address } from '@solana/kit';
import { instantText, type Step } from '../../store/history/time-buckets.ts';
import type { Sql } from '../../store/sql.ts';
import type { ReserveYield, SourcePoint } from './subjects.ts';

/** One reserve in one bucket of a vault's history. */
interface YieldRow extends ReserveYield {
  readonly bucket: Date;
}

/**
 * Adds to imported reserve points what only vault histories contain: rewards, and the supply APY with all
 * digits. An APY that does not match the reserve's own history to its precision is a different value and is
 * not used.
 */
export async function setExactYields(
  sql: Sql,
  step: Step,
  points: readonly SourcePoint[],
  idOf: (address: Address) => number,
): Promise<void> {
  const rows = points.flatMap(({ bucket, reserveYields }): YieldRow[] =>
    reserveYields.filter(isKnown).map((each) => ({ ...each, bucket })),
  );
  if (rows.length === 0) return;
  await sql.run(EXACT_YIELDS, [
    rows.map(({ reserve }) => idOf(reserve)),
    rows.map(({ bucket }) => instantText(bucket)),
    rows.map(({ supplyApy }) => toDecimalString(supplyApy)),
    rows.map(({ rewards }) => `{${rewards.map(({ mint }) => idOf(mint)).join(',')}}`),
    rows.map(({ rewards }) => `{${rewards.map(({ apy }) => toDecimalString(apy)).join(',')}}`),
    step,
  ]);
}

/** The contract has no null: a reserve without data in a bucket has zeros. */
const isKnown = ({ supplyApy, rewards }: ReserveYield) => !supplyApy.isZero || rewards.length > 0;

/** Imported points have slot 0. Recorded points are never changed. */
const IMPORTED = 'p.slot = 0';

const EXACT_YIELDS = `UPDATE reserve_point p
  SET supply_apy_sum = n.apy_sum, reward_mint_ids = n.mints, reward_apys = n.apys
  FROM (
    SELECT DISTINCT ON (q.reserve_id, q.bucket) q.reserve_id, q.bucket,
      CASE WHEN abs(u.apy * q.samples - q.supply_apy_sum) <= abs(q.supply_apy_sum) * 1e-12
        THEN u.apy * q.samples ELSE q.supply_apy_sum END AS apy_sum,
      u.mints::integer[] AS mints, u.apys::numeric[] AS apys
    FROM unnest($1::integer[], $2::timestamptz[], $3::numeric[], $4::text[], $5::text[])
      AS u(reserve_id, bucket, apy, mints, apys)
    JOIN reserve_point q ON q.reserve_id = u.reserve_id AND q.step = $6::integer AND q.bucket = u.bucket
    ORDER BY q.reserve_id, q.bucket
  ) n
  WHERE p.reserve_id = n.reserve_id AND p.step = $6::integer AND p.bucket = n.bucket AND ${IMPORTED}
    AND ROW(p.supply_apy_sum, p.reward_mint_ids, p.reward_apys) IS DISTINCT FROM ROW(n.apy_sum, n.mints, n.apys)`;
