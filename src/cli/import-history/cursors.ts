import { instantText, type Step } from '../../store/history/time-buckets.ts';
import type { Sql, Tables } from '../../store/sql.ts';
import type { ImportSubject } from './subjects.ts';

/** The imported range of one step: everything the deployment had from `from` up to `until`. */
export interface Cursor {
  readonly from: Date;
  /** Exclusive. */
  readonly until: Date;
}

export async function readCursors(
  { models }: Tables,
  source: string,
  { address: subject }: ImportSubject,
): Promise<ReadonlyMap<number, Cursor>> {
  const cursors = await models.importCursor.findMany({ where: { source, subject } });
  return new Map(
    cursors.map(({ step, doneFrom, doneUntil }) => [step, { from: doneFrom, until: doneUntil }]),
  );
}

export async function moveCursor(
  { models }: Tables,
  source: string,
  { address: subject, kind }: ImportSubject,
  step: Step,
  { from, until }: Cursor,
): Promise<void> {
  const key = { source, subject, step };
  const range = { doneFrom: from, doneUntil: until };
  await models.importCursor.upsert({
    where: { source_subject_step: key },
    create: { ...key, ...range, kind },
    update: range,
  });
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
