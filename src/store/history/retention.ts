import { SluiceError } from '../../errors/sluice-error.ts';
import { fenced } from '../leases/fencing-token.ts';
import { instantOf, integerOf } from '../rows.ts';
import type { Database, Sql } from '../sql.ts';
import { allAddressIds } from './address-ids.ts';
import { ALL_TABLES } from './all-series.ts';
import { leadingKey } from './columns.ts';
import { bucketOf, DAY, HOUR, instantText, MINUTE, type Step } from './time-buckets.ts';

/** Days for which each step is stored. Null stores days forever. */
export interface Retention {
  readonly minuteDays: number;
  readonly hourDays: number;
  readonly dayDays: number | null;
}

export interface Removed {
  readonly minutes: number;
  readonly hours: number;
  readonly days: number;
  readonly snapshots: number;
  readonly leverage: number;
}

/** A batch is one short transaction of about 5,000 rows, so readers and the recorder are not blocked. */
interface Batch {
  readonly series: number;
  readonly seconds: number;
}

const SNAPSHOTS_PER_BATCH = 5_000;
const pointsBatch = (step: Step): Batch => ({ series: 80, seconds: 60 * step });
/** A market has a row for each pair of reserves and hour. */
const LEVERAGE_BATCH: Batch = { series: 1, seconds: DAY };

/**
 * Deletes expired points in batches. Minutes expire by whole hours and hours by whole days, so a coarser
 * bucket has either all of its finer points or none. A minute counts as recorded until its points are
 * deleted.
 *
 * @throws NOT_LEADER
 */
export async function applyRetention(
  db: Database,
  fence: bigint,
  { minuteDays, hourDays, dayDays }: Retention,
  now: Date,
): Promise<Removed> {
  const minutesBefore = bucketOf(daysBefore(now, minuteDays), HOUR);
  const hoursBefore = bucketOf(daysBefore(now, hourDays), DAY);
  const ids = await allAddressIds(db);
  const remove = (step: Step, before: Date) => removePoints(db, fence, ids, step, before);
  const minutes = await remove(MINUTE, minutesBefore);
  const snapshots = await removeSnapshots(db, fence, minutesBefore);
  const hours = await remove(HOUR, hoursBefore);
  let leverage = 0;
  for (const rows of SCANS) {
    leverage += await removeExpired(db, fence, ids, { rows, batch: LEVERAGE_BATCH, before: hoursBefore });
  }
  const days = dayDays === null ? 0 : await remove(DAY, bucketOf(daysBefore(now, dayDays), DAY));
  return { minutes, hours, days, snapshots, leverage };
}

function daysBefore(now: Date, days: number): Date {
  if (!(days >= 0)) {
    throw new SluiceError('NUMBER_OUT_OF_RANGE', {
      what: 'Retention days',
      value: String(days),
      min: '0',
      max: 'any',
    });
  }
  return new Date(now.getTime() - days * DAY * 1_000);
}

async function removePoints(
  db: Database,
  fence: bigint,
  ids: readonly number[],
  step: Step,
  before: Date,
): Promise<number> {
  let removed = 0;
  for (const table of ALL_TABLES) {
    const rows = `${table.name} WHERE step = ${step} AND ${leadingKey(table)}`;
    removed += await removeExpired(db, fence, ids, { rows, batch: pointsBatch(step), before });
  }
  return removed;
}

/** Rows as a condition that the id of the series completes. Both statements below are ranges of the primary key. */
type Rows = string;

/** What the hourly scans have recorded. */
const SCANS: readonly Rows[] = ['leverage_point WHERE market_id', 'loan_point WHERE market_id'];

async function removeExpired(
  db: Database,
  fence: bigint,
  ids: readonly number[],
  { rows, batch, before }: { readonly rows: Rows; readonly batch: Batch; readonly before: Date },
): Promise<number> {
  const expired = await expiredSeries(db, ids, rows, before);
  const statement = `DELETE FROM ${rows} = ANY($1::integer[]) AND bucket < $2::timestamptz`;
  let removed = 0;
  for (let from = 0; from < expired.length; from += batch.series) {
    let series = expired.slice(from, from + batch.series);
    for (let first = series[0]; first !== undefined; first = series[0]) {
      const params = series.map(({ id }) => id);
      const until = new Date(Math.min(first.oldest.getTime() + batch.seconds * 1_000, before.getTime()));
      removed += await fenced(db, fence, (sql) => sql.run(statement, [params, instantText(until)]));
      series = until < before ? await expiredSeries(db, params, rows, before) : [];
    }
  }
  return removed;
}

/** Series with expired rows and their oldest bucket, oldest first. */
async function expiredSeries(
  sql: Sql,
  ids: readonly number[],
  rows: Rows,
  before: Date,
): Promise<{ readonly id: number; readonly oldest: Date }[]> {
  const found = await sql.rows(
    `SELECT s.id, date_part('epoch', oldest.bucket) * 1000 AS bucket FROM unnest($1::integer[]) AS s(id)
     CROSS JOIN LATERAL (
       SELECT bucket FROM ${rows} = s.id AND bucket < $2::timestamptz ORDER BY bucket LIMIT 1
     ) oldest
     ORDER BY oldest.bucket, s.id`,
    [ids, instantText(before)],
  );
  return found.map((row) => ({ id: integerOf(row, 'id'), oldest: instantOf(row, 'bucket') }));
}

async function removeSnapshots(db: Database, fence: bigint, before: Date): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await fenced(db, fence, (sql) => sql.run(REMOVE_SNAPSHOTS, [instantText(before)]));
    removed += count;
    if (count < SNAPSHOTS_PER_BATCH) return removed;
  }
}

const REMOVE_SNAPSHOTS = `DELETE FROM snapshot WHERE bucket IN (
  SELECT bucket FROM snapshot WHERE bucket < $1::timestamptz ORDER BY bucket LIMIT ${SNAPSHOTS_PER_BATCH})`;
