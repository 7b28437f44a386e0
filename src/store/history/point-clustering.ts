import { fenced } from '../leases/fencing-token.ts';
import type { Database, Tables } from '../sql.ts';
import { allAddressIds } from './address-ids.ts';
import { ALL_TABLES } from './all-series.ts';
import { leadingKey, primaryKey, type SeriesTable } from './columns.ts';
import { bucketOf, DAY, HOUR, instantText, type Step, type TimeSpan } from './time-buckets.ts';

/** One batch is one short transaction of about 5,000 points, so readers and the recorder are not blocked. */
const SERIES_PER_BATCH = 200;

/**
 * Rewrites points in key order, so that the points of one series are stored together. They are inserted
 * bucket by bucket, between the points of other series, so reading a month of one series would touch one page
 * per point. When a day is over its hours are rewritten, and when a month is over its days are. The data does
 * not change.
 *
 * The first run starts with the last complete day. Resolves to the number of points rewritten.
 *
 * @throws NOT_LEADER
 */
export async function clusterPoints(db: Database, fence: bigint, now: Date): Promise<number> {
  const today = bucketOf(now, DAY).getTime();
  let moved = 0;
  for (let day = (await clusteredUntil(db)) ?? today - DAY_MS; day < today; day += DAY_MS) {
    moved += await clusterDay(db, fence, await allAddressIds(db), new Date(day));
    await fenced(db, fence, (tables) => setClusteredUntil(tables, new Date(day + DAY_MS)));
  }
  return moved;
}

/** Rewrites one complete day, and its month if the day is the last of it. */
export async function clusterDay(
  db: Database,
  fence: bigint,
  ids: readonly number[],
  day: Date,
): Promise<number> {
  const next = new Date(day.getTime() + DAY_MS);
  const month = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
  const hours = await clusterSpan(db, fence, ids, HOUR, { start: day, end: next });
  const isLast = next.getUTCMonth() !== day.getUTCMonth();
  return hours + (isLast ? await clusterSpan(db, fence, ids, DAY, { start: month, end: next }) : 0);
}

const DAY_MS = DAY * 1_000;

async function clusterSpan(
  db: Database,
  fence: bigint,
  ids: readonly number[],
  step: Step,
  { start, end }: TimeSpan,
): Promise<number> {
  let moved = 0;
  for (const table of ALL_TABLES) {
    for (let from = 0; from < ids.length; from += SERIES_PER_BATCH) {
      const params = [ids.slice(from, from + SERIES_PER_BATCH), step, instantText(start), instantText(end)];
      moved += await fenced(db, fence, (sql) => sql.run(moveStatement(table), params));
    }
  }
  return moved;
}

/** Deletes all rows before reinserting them, because the sort sits in between. */
function moveStatement(table: SeriesTable): string {
  return `WITH taken AS (
      DELETE FROM ${table.name}
      WHERE ${leadingKey(table)} = ANY($1::integer[]) AND step = $2::integer
        AND bucket >= $3::timestamptz AND bucket < $4::timestamptz
      RETURNING *
    ) INSERT INTO ${table.name} SELECT * FROM taken ORDER BY ${primaryKey(table).join(', ')}`;
}

const PROGRESS = { id: 1 };

async function clusteredUntil({ models }: Tables): Promise<number | null> {
  const progress = await models.tidied.findUnique({ where: PROGRESS });
  return progress === null ? null : progress.until.getTime();
}

async function setClusteredUntil({ models }: Tables, until: Date): Promise<void> {
  await models.tidied.upsert({ where: PROGRESS, create: { ...PROGRESS, until }, update: { until } });
}
