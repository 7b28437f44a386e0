import { fenced } from '../leases/fencing-token.ts';
import { instantOf, optionalInstantOf } from '../rows.ts';
import type { Database, Sql, Tables } from '../sql.ts';
import { allAddressIds } from './address-ids.ts';
import { ALL_TABLES } from './all-series.ts';
import { leadingKey } from './columns.ts';
import { clusterDay } from './point-clustering.ts';
import { rollUp } from './roll-up.ts';
import { bucketFrom, DAY, HOUR, instantText, MINUTE, type TimeSpan, wholeBuckets } from './time-buckets.ts';

/** The unrecorded minutes that begin in the span, as ascending ranges of whole minutes. */
export async function findGaps(sql: Sql, { start, end }: TimeSpan): Promise<readonly TimeSpan[]> {
  const [from, to] = [bucketFrom(start, MINUTE), bucketFrom(end, MINUTE)];
  if (from >= to) return [];
  const rows = await sql.rows(
    `SELECT date_part('epoch', gap_start) * 1000 AS start, date_part('epoch', gap_end) * 1000 AS end
     FROM (
       SELECT lag(bucket + interval '1 minute', 1, $1::timestamptz) OVER (ORDER BY bucket) AS gap_start, bucket AS gap_end
       FROM (
         SELECT bucket FROM snapshot WHERE bucket >= $1::timestamptz AND bucket < $2::timestamptz
         UNION ALL SELECT $2::timestamptz
       ) recorded
     ) between_minutes WHERE gap_start < gap_end ORDER BY gap_start`,
    [instantText(from), instantText(to)],
  );
  return rows.map((row) => ({ start: instantOf(row, 'start'), end: instantOf(row, 'end') }));
}

/** Milliseconds since the last recorded sample; null when there is none. */
export async function recorderLag({ models }: Tables, now: Date): Promise<number | null> {
  const last = await models.snapshot.findFirst({
    orderBy: { bucket: 'desc' },
    select: { sampledAt: true },
  });
  return last && now.getTime() - last.sampledAt.getTime();
}

export interface RepairProgress {
  /** Days in the span, and how many are done. */
  readonly days: number;
  readonly done: number;
  /** Points inserted or changed so far. */
  readonly changed: number;
}

export interface Repair {
  readonly changed: number;
  /** Minutes that were never sampled; no roll-up can restore them. */
  readonly missing: readonly TimeSpan[];
}

/**
 * Recomputes the hours and days of the span from the finer points, one transaction per day, and rewrites each
 * series in key order.
 *
 * @throws NOT_LEADER
 */
export async function repair(
  db: Database,
  fence: bigint,
  span: TimeSpan,
  onProgress: (progress: RepairProgress) => void = () => {},
): Promise<Repair> {
  const ids = await allAddressIds(db);
  const { start, end } = wholeBuckets(await storedPart(db, ids, span), DAY);
  const days = Math.max(0, Math.round((end.getTime() - start.getTime()) / (DAY * 1_000)));
  let changed = 0;
  for (let done = 0; done < days; done += 1) {
    const from = start.getTime() + done * DAY * 1_000;
    const day = { start: new Date(from), end: new Date(from + DAY * 1_000) };
    changed += await fenced(db, fence, (sql) => rollUp(sql, ids, day));
    await clusterDay(db, fence, ids, day.start);
    onProgress({ days, done: done + 1, changed });
  }
  return { changed, missing: await findGaps(db, span) };
}

/** Clamps the span to the stored range, to skip days that have no points. */
async function storedPart(sql: Sql, ids: readonly number[], { start, end }: TimeSpan): Promise<TimeSpan> {
  const [row = {}] = await sql.rows(STORED_RANGE, [ids, [MINUTE, HOUR]]);
  const [first, last] = [optionalInstantOf(row, 'first'), optionalInstantOf(row, 'last')];
  if (first === null || last === null) return { start, end: start };
  const after = new Date(last.getTime() + HOUR * 1_000);
  return { start: start < first ? first : start, end: end > after ? after : end };
}

const STORED_RANGE = `SELECT date_part('epoch', min(first)) * 1000 AS first, date_part('epoch', max(last)) * 1000 AS last
  FROM unnest($1::integer[]) AS s(id) CROSS JOIN unnest($2::integer[]) AS k(step)
  CROSS JOIN LATERAL (${ALL_TABLES.map(
    (table) => `SELECT min(bucket) AS first, max(bucket) AS last FROM ${table.name}
      WHERE ${leadingKey(table)} = s.id AND step = k.step`,
  ).join(' UNION ALL ')}) ends`;
