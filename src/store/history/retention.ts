import { SluiceError } from '../../errors/sluice-error.ts';
import type { Database } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';
import { leadingKey } from './columns.ts';
import { fenced } from './fence.ts';
import { bucketOf, DAY, HOUR, instantText, MINUTE, type Step } from './steps.ts';
import { allSubjectIds } from './subjects.ts';

/** How many days each step is stored. Null stores days forever. */
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

/** One batch is one short transaction, so readers and the recorder are not blocked. */
const ROWS_PER_BATCH = 5_000;

/**
 * Deletes expired points in batches. Minutes expire by whole hours and hours by whole days, so a coarser
 * bucket has either all of its finer points or none. A minute counts as recorded until its points are
 * deleted.
 *
 * @throws RECORDER_NOT_LEADER
 */
export async function applyRetention(
  db: Database,
  fence: bigint,
  { minuteDays, hourDays, dayDays }: Retention,
  now: Date,
): Promise<Removed> {
  const minutesBefore = bucketOf(daysBefore(now, minuteDays), HOUR);
  const hoursBefore = bucketOf(daysBefore(now, hourDays), DAY);
  const ids = await allSubjectIds(db);
  const remove = (step: Step, before: Date) => removePoints(db, fence, ids, step, before);
  const minutes = await remove(MINUTE, minutesBefore);
  const snapshots = await inBatches(db, fence, REMOVE_SNAPSHOTS, [instantText(minutesBefore)]);
  const hours = await remove(HOUR, hoursBefore);
  const leverage = await inBatches(db, fence, REMOVE_LEVERAGE, [ids, instantText(hoursBefore)]);
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
    // The key finds the rows, so other steps and newer buckets are not scanned.
    const statement = `DELETE FROM ${table.name} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${table.name}
      WHERE ${leadingKey(table)} = ANY($1::integer[]) AND step = $2::integer AND bucket < $3::timestamptz
      LIMIT ${ROWS_PER_BATCH}))`;
    removed += await inBatches(db, fence, statement, [ids, step, instantText(before)]);
  }
  return removed;
}

const REMOVE_SNAPSHOTS = `DELETE FROM snapshot WHERE bucket IN (
  SELECT bucket FROM snapshot WHERE bucket < $1::timestamptz ORDER BY bucket LIMIT ${ROWS_PER_BATCH})`;

const REMOVE_LEVERAGE = `DELETE FROM leverage_point WHERE ctid = ANY(ARRAY(
  SELECT ctid FROM leverage_point WHERE market_id = ANY($1::integer[]) AND bucket < $2::timestamptz
  LIMIT ${ROWS_PER_BATCH}))`;

async function inBatches(
  db: Database,
  fence: bigint,
  statement: string,
  params: readonly (string | number | readonly number[])[],
): Promise<number> {
  let removed = 0;
  for (;;) {
    const count = await fenced(db, fence, (sql) => sql.run(statement, params));
    removed += count;
    if (count < ROWS_PER_BATCH) return removed;
  }
}
