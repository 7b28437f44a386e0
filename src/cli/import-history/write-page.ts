import { isCodedError } from '../../errors/sluice-error.ts';
import { addressIds } from '../../store/history/address-ids.ts';
import { leadingKey } from '../../store/history/columns.ts';
import type { Snapshot } from '../../store/history/samples.ts';
import { instantText, MINUTE, type Step, type TimeSpan } from '../../store/history/time-buckets.ts';
import { writeHistory } from '../../store/history/write-snapshot.ts';
import { LEASES } from '../../store/leases/fencing-token.ts';
import { instantOf } from '../../store/rows.ts';
import type { Database, Sql, Tables } from '../../store/sql.ts';
import { type Cursor, moveCursor, setBackDependents } from './cursors.ts';
import { setExactYields } from './exact-yields.ts';
import { type ImportSubject, type SourcePoint, TABLE_OF_KIND } from './subjects.ts';

/** Points of one subject and step, ascending. */
export interface Page {
  readonly subject: ImportSubject;
  readonly step: Step;
  readonly points: readonly SourcePoint[];
  /** The new cursor; null leaves it unchanged. */
  readonly cursor: Cursor | null;
}

const MAX_ATTEMPTS = 5;
const HOLDER = 'import-history';

/** Writes the points of a page and its cursor in one transaction. */
export class PageWriter {
  readonly #db: Database;
  readonly #source: string;

  constructor(db: Database, source: string) {
    this.#db = db;
    this.#source = source;
  }

  /** Resolves to the number of points written. Recorded points are left unchanged. */
  async write(page: Page): Promise<number> {
    const points = await withoutRecorded(this.#db, page);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#attempt({ ...page, points }, await currentFence(this.#db));
        return points.length;
      } catch (error) {
        // A recorder took over after the fencing token was read.
        if (!isCodedError(error, 'NOT_LEADER') || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  async #attempt(page: Page, fence: bigint): Promise<void> {
    const { subject, step, points, cursor } = page;
    const writeDependents = await this.#dependents(page);
    const afterPoints = async (sql: Tables) => {
      await writeDependents(sql);
      if (cursor !== null) await moveCursor(sql, this.#source, subject, step, cursor);
    };
    if (points.length === 0) return await this.#db.transaction(afterPoints);
    await writeHistory(serialised(this.#db, afterPoints), fence, step, points.map(snapshotOf(step)));
  }

  /** Writes that accompany the points but are not part of a sample. */
  async #dependents({ subject, step, points }: Page): Promise<(sql: Sql) => Promise<void>> {
    const [first] = points;
    if (first === undefined) return () => Promise.resolve();
    const addresses = points.flatMap(({ reserveYields }) =>
      reserveYields.flatMap(({ reserve, rewards }) => [reserve, ...rewards.map(({ mint }) => mint)]),
    );
    const ids = await addressIds(this.#db, addresses);
    const idOf = (address: string) => ids.get(address) ?? 0;
    return async (sql) => {
      await setExactYields(sql, step, points, idOf);
      await setBackDependents(sql, this.#source, subject, step, first.bucket);
    };
  }
}

/**
 * Wraps the database so that a transaction excludes other writers of history and ends with `afterPoints`. A
 * recorder's fence check takes a weaker lock on the lease row, so it waits until the page is written.
 */
function serialised(db: Database, afterPoints: (sql: Tables) => Promise<void>): Database {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (sql) => {
        await sql.rows('SELECT id FROM recorder_lease WHERE id = 1 FOR NO KEY UPDATE');
        const result = await work(sql);
        await afterPoints(sql);
        return result;
      }),
  };
}

/** Uses the current fencing token instead of taking a new one, so a leading recorder keeps leading. */
async function currentFence({ models }: Tables): Promise<bigint> {
  const where = { id: LEASES.recorder };
  const lease = await models.recorderLease.findUnique({ where });
  if (lease !== null) return lease.fence;
  const first = { ...where, fence: 0n, holder: HOLDER, since: new Date() };
  await models.recorderLease.createMany({ data: [first], skipDuplicates: true });
  const { fence } = await models.recorderLease.findUniqueOrThrow({ where });
  return fence;
}

/**
 * Drops buckets that were recorded here with at least as many samples. Recorded points are more complete, but
 * imported ones claim the full sample count and would replace them.
 */
async function withoutRecorded(sql: Sql, { subject, step, points }: Page): Promise<readonly SourcePoint[]> {
  if (points.length === 0) return points;
  const table = TABLE_OF_KIND[subject.kind];
  const { start, end } = spanOf(points, step);
  const rows = await sql.rows(
    `SELECT date_part('epoch', p.bucket) * 1000 AS bucket
     FROM subject s JOIN ${table.name} p ON p.${leadingKey(table)} = s.id
     WHERE s.address = $1::text AND p.step = $2::integer AND p.bucket >= $3::timestamptz AND p.bucket < $4::timestamptz
       AND p.slot > 0 AND p.samples >= $5::integer`,
    [subject.address, step, instantText(start), instantText(end), step / MINUTE],
  );
  const recorded = new Set(rows.map((row) => instantOf(row, 'bucket').getTime()));
  return points.filter(({ bucket }) => !recorded.has(bucket.getTime()));
}

/**
 * Sampled in the last millisecond of its bucket, so that it represents the whole bucket. Slot 0 marks it as
 * imported.
 */
const snapshotOf =
  (step: Step) =>
  ({ bucket, sample }: SourcePoint): Snapshot => ({
    slot: 0n,
    sampledAt: new Date(bucket.getTime() + step * 1_000 - 1),
    vaults: [],
    reserves: [],
    markets: [],
    prices: [],
    rewards: [],
    ...sample,
  });

function spanOf(points: readonly SourcePoint[], step: Step): TimeSpan {
  const [first, last] = [points.at(0)?.bucket ?? new Date(0), points.at(-1)?.bucket ?? new Date(0)];
  return { start: first, end: new Date(last.getTime() + step * 1_000) };
}
