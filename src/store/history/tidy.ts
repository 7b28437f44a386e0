import type { Database, Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';
import { leadingKey, primaryKey, type SeriesTable } from './columns.ts';
import { fenced } from './fence.ts';
import { instantOf } from './rows.ts';
import { bucketOf, DAY, HOUR, instantText, type Step, type TimeSpan } from './steps.ts';
import { everySubjectId } from './subjects.ts';

/** A batch is one short transaction, of some five thousand points: readers and the recorder go on beside it. */
const SERIES_PER_BATCH = 200;

/**
 * Lays the points of each series side by side. They are written bucket by bucket, each beside the points of other series, so
 * that reading a month of one series would read as many pages as there are points, more of them the more series there are.
 * Once a day is over its hours are written anew in the order of the key, and once a month is over its days are. Which points
 * there are, and what they tell, stays as it is.
 *
 * Begins with the last day that is over, the first time. Resolves to how many points were moved.
 *
 * @throws RECORDER_NOT_LEADER
 */
export async function tidy(db: Database, fence: bigint, now: Date): Promise<number> {
  const today = bucketOf(now, DAY).getTime();
  let moved = 0;
  for (let day = (await tidiedUntil(db)) ?? today - DAY_MS; day < today; day += DAY_MS) {
    moved += await tidyDay(db, fence, await everySubjectId(db), new Date(day));
    await fenced(db, fence, (sql) => sql.run(TIDIED, [instantText(new Date(day + DAY_MS))]));
  }
  return moved;
}

/** The same for one day that is over, and for its month when it is the last of it. */
export async function tidyDay(
  db: Database,
  fence: bigint,
  ids: readonly number[],
  day: Date,
): Promise<number> {
  const next = new Date(day.getTime() + DAY_MS);
  const month = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth()));
  const hours = await tidySpan(db, fence, ids, HOUR, { start: day, end: next });
  const isLast = next.getUTCMonth() !== day.getUTCMonth();
  return hours + (isLast ? await tidySpan(db, fence, ids, DAY, { start: month, end: next }) : 0);
}

const DAY_MS = DAY * 1_000;

async function tidySpan(
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

/** All are taken out before the first is put back, since they are sorted in between. */
function moveStatement(table: SeriesTable): string {
  return `WITH taken AS (
      DELETE FROM ${table.name}
      WHERE ${leadingKey(table)} = ANY($1::integer[]) AND step = $2::integer
        AND bucket >= $3::timestamptz AND bucket < $4::timestamptz
      RETURNING *
    ) INSERT INTO ${table.name} SELECT * FROM taken ORDER BY ${primaryKey(table).join(', ')}`;
}

async function tidiedUntil(sql: Sql): Promise<number | null> {
  const [row] = await sql.rows(`SELECT date_part('epoch', until) * 1000 AS until FROM tidied WHERE id = 1`);
  return row === undefined ? null : instantOf(row, 'until').getTime();
}

const TIDIED = `INSERT INTO tidied (id, until) VALUES (1, $1::timestamptz)
  ON CONFLICT (id) DO UPDATE SET until = EXCLUDED.until`;
