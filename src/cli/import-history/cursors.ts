import { instantOf, integerOf } from '../../store/history/rows.ts';
import { instantText, type Step } from '../../store/history/steps.ts';
import type { Sql } from '../../store/sql.ts';
import type { ImportSubject } from './subjects.ts';

/** The imported range of one step: everything the deployment had from `from` up to `until`. */
export interface Cursor {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

export async function readCursors(
  sql: Sql,
  source: string,
  { address }: ImportSubject,
): Promise<ReadonlyMap<number, Cursor>> {
  const rows = await sql.rows(
    `SELECT step, date_part('epoch', done_from) * 1000 AS done_from, date_part('epoch', done_until) * 1000 AS done_until
     FROM import_cursor WHERE source = $1::text AND subject = $2::text`,
    [source, address],
  );
  return new Map(
    rows.map((row) => [
      integerOf(row, 'step'),
      { from: instantOf(row, 'done_from'), until: instantOf(row, 'done_until') },
    ]),
  );
}

export async function moveCursor(
  sql: Sql,
  source: string,
  { address, kind }: ImportSubject,
  step: Step,
  { from, until }: Cursor,
): Promise<void> {
  await sql.run(
    `INSERT INTO import_cursor (source, subject, step, kind, done_from, done_until)
     VALUES ($1::text, $2::text, $3::integer, $4::text, $5::timestamptz, $6::timestamptz)
     ON CONFLICT (source, subject, step) DO UPDATE SET done_from = excluded.done_from, done_until = excluded.done_until`,
    [source, address, step, kind, instantText(from), instantText(until)],
  );
}

/**
 * Moves cursors back after buckets from `writtenFrom` on were written, so that dependent data is imported
 * again: coarser steps of the same subject, which the roll-up has recomputed, and, after a reserve, all
 * vaults, which carry its exact yields and rewards.
 */
export async function setBackDependents(
  sql: Sql,
  source: string,
  { address, kind }: ImportSubject,
  step: Step,
  writtenFrom: Date,
): Promise<void> {
  await sql.run(
    `UPDATE import_cursor SET done_until = GREATEST(done_from, ${BUCKET})
     WHERE source = $1::text AND done_until > ${BUCKET}
       AND ((subject = $2::text AND step > $3::integer) OR ($4::boolean AND kind = 'vault' AND step >= $3::integer))`,
    [source, address, step, kind === 'reserve', instantText(writtenFrom)],
  );
}

const BUCKET = `date_bin(step * interval '1 second', $5::timestamptz, 'epoch'::timestamptz)`;
