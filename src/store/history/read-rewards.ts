import type { Address } from '@solana/kit';
import { integerOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { columnsOf, everyField, readRows, withNames } from './read-rows.ts';
import { REWARD_SERIES, type RewardPoint } from './reward-series.ts';
import { instantText, type SeriesRange } from './time-buckets.ts';

/** The target of a campaign: one reserve, or a pair. Null on the side it does not reward. */
export interface RewardPair {
  readonly depositReserve: Address | null;
  readonly borrowReserve: Address | null;
}

/**
 * The points of every campaign on exactly these pairs: one ascending list per pair, in the order given;
 * within a bucket ordered by reward and source. One statement.
 */
export async function readRewardPoints(
  sql: Sql,
  pairs: readonly RewardPair[],
  { start, end, step }: SeriesRange,
): Promise<readonly (readonly RewardPoint[])[]> {
  const lists = pairs.map((): RewardPoint[] => []);
  const params = [
    pairs.map(({ depositReserve }) => depositReserve),
    pairs.map(({ borrowReserve }) => borrowReserve),
    step,
    instantText(start),
    instantText(end),
  ];
  if (pairs.length === 0 || start >= end) return lists;
  const rows = await sql.rows(STATEMENT, params);
  await readRows(sql, REWARD_SERIES, FIELDS, rows, (row) => lists[integerOf(row, 'input_index') - 1]);
  for (const list of lists) list.sort(byBucketAndReward);
  return lists;
}

function byBucketAndReward(a: RewardPoint, b: RewardPoint): number {
  const [left, right] = [`${a.rewardMint} ${a.source}`, `${b.rewardMint} ${b.source}`];
  return a.bucket.getTime() - b.bucket.getTime() || (left < right ? -1 : left > right ? 1 : 0);
}

const FIELDS = everyField(REWARD_SERIES);

/**
 * A never-seen address has no id and therefore no points; that differs from id 0, which stands for a missing
 * side.
 */
const STATEMENT = withNames(
  REWARD_SERIES.table,
  columnsOf(REWARD_SERIES, FIELDS),
  `SELECT a.input_index::integer AS input_index, t.*
   FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS a(deposit, borrow, input_index)
   LEFT JOIN subject d ON d.address = a.deposit
   LEFT JOIN subject b ON b.address = a.borrow
   CROSS JOIN LATERAL (
     SELECT * FROM reward_point p
     WHERE p.deposit_reserve_id = CASE WHEN a.deposit IS NULL THEN 0 ELSE d.id END
       AND p.borrow_reserve_id = CASE WHEN a.borrow IS NULL THEN 0 ELSE b.id END
       AND p.step = $3::integer AND p.bucket >= $4::timestamptz AND p.bucket < $5::timestamptz
     OFFSET 0
   ) t`,
);
