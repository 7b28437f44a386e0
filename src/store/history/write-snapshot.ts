import { fenced } from '../leases/fencing-token.ts';
import type { PgConnection } from '../pg-connection.ts';
import { refuse } from '../rows.ts';
import type { Database, Sql, SqlDatabase } from '../sql.ts';
import { addressIds } from './address-ids.ts';
import { ALL_TABLES } from './all-series.ts';
import type { SeriesTable, SnapshotIds } from './columns.ts';
import { insertPoints, type OnConflict } from './insert-points.ts';
import { PointLists } from './point-lists.ts';
import { PointRows } from './point-rows.ts';
import { configIds, configKey } from './reserve-configs.ts';
import { rollUpTable } from './roll-up.ts';
import type { Snapshot } from './samples.ts';
import { bucketOf, instantText, MINUTE, type Step, type TimeSpan } from './time-buckets.ts';

/**
 * Records a minute: its points, and the hour and day they belong to, in one transaction. A minute that is
 * already recorded is left unchanged. Resolves to whether it was written.
 *
 * @throws NOT_LEADER
 */
export async function writeSnapshot(db: Database, fence: bigint, snapshot: Snapshot): Promise<boolean> {
  const points = await pointsOf(db, MINUTE, [snapshot], PointLists);
  return await fenced(db, fence, async (sql) => {
    if ((await recordMinutes(sql, fence, points.moments)) === 0) return false;
    await writePoints(sql, points, 'keep-first');
    return true;
  });
}

/**
 * Loads many snapshots of one step, generated or imported. Idempotent: an existing point is replaced only by
 * one with at least as many samples, and a minute is never replaced.
 *
 * A snapshot of an hour or a day represents the minutes from the start of its bucket to its `sampledAt`, so
 * it has the weight of the minutes it replaces when it is rolled up with recorded ones.
 *
 * @param snapshots consumed one at a time; none is retained
 * @throws NOT_LEADER
 */
export async function writeHistory(
  db: Database,
  fence: bigint,
  step: Step,
  snapshots: Iterable<Snapshot>,
): Promise<void> {
  const points = await pointsOf(db, step, snapshots, PointLists);
  if (points.moments.length === 0) return;
  await fenced(db, fence, async (sql) => {
    if (step === MINUTE) await recordMinutes(sql, fence, points.moments);
    await writePoints(sql, points, step === MINUTE ? 'keep-first' : 'keep-richer');
  });
}

/** Encoded points for buckets that do not exist yet. */
export type NewPoints = Points<PointRows>;

export async function encodeNewPoints(
  db: SqlDatabase,
  step: Step,
  snapshots: Iterable<Snapshot> | AsyncIterable<Snapshot>,
): Promise<NewPoints> {
  return await pointsOf(db, step, snapshots, PointRows);
}

/** Writes the points with `COPY`, which is faster than `writeHistory`. Fails if a bucket already exists. */
export async function writeNewPoints(
  connection: PgConnection,
  fence: bigint,
  { step, moments, lists }: NewPoints,
): Promise<void> {
  if (moments.length === 0) return;
  const span = spanOf(moments, step);
  await fenced(connection, fence, async (sql) => {
    if (step === MINUTE) await recordMinutes(sql, fence, moments);
    for (const points of lists) {
      await connection.copyIn(points.statement, points.finish());
      await rollUpTable(sql, points.table, [...points.ids], span, step);
    }
  });
}

type SampledAt = Pick<Snapshot, 'slot' | 'sampledAt'>;

interface Points<P> {
  readonly step: Step;
  readonly moments: readonly SampledAt[];
  readonly lists: readonly P[];
}

/** Does all encoding before the transaction starts, to keep it short. */
async function pointsOf<P extends PointLists | PointRows>(
  db: SqlDatabase,
  step: Step,
  snapshots: Iterable<Snapshot> | AsyncIterable<Snapshot>,
  Kind: new (table: SeriesTable) => P,
): Promise<Points<P>> {
  const lists = ALL_TABLES.map((table) => new Kind(table));
  const moments: SampledAt[] = [];
  for await (const snapshot of snapshots) {
    const ids = await snapshotIds(db, snapshot);
    for (const list of lists) list.add(snapshot, step, ids);
    moments.push({ slot: snapshot.slot, sampledAt: snapshot.sampledAt });
  }
  return { step, moments, lists: lists.filter(({ isEmpty }) => !isEmpty) };
}

async function writePoints(
  sql: Sql,
  { step, moments, lists }: Points<PointLists>,
  onConflict: OnConflict,
): Promise<void> {
  const span = spanOf(moments, step);
  for (const list of lists) {
    await insertPoints(sql, list, onConflict);
    await rollUpTable(sql, list.table, [...list.ids], span, step);
  }
}

/** Resolves to the number of minutes that were not recorded before. */
function recordMinutes(sql: Sql, fence: bigint, moments: readonly SampledAt[]): Promise<number> {
  return sql.run(
    `INSERT INTO snapshot (bucket, slot, sampled_at, fence)
     SELECT bucket, slot, sampled_at, $4::bigint
     FROM unnest($1::timestamptz[], $2::bigint[], $3::timestamptz[]) AS u(bucket, slot, sampled_at)
     ON CONFLICT DO NOTHING`,
    [
      moments.map(({ sampledAt }) => instantText(bucketOf(sampledAt, MINUTE))),
      moments.map(({ slot }) => slot.toString()),
      moments.map(({ sampledAt }) => instantText(sampledAt)),
      fence.toString(),
    ],
  );
}

async function snapshotIds(db: SqlDatabase, snapshot: Snapshot): Promise<SnapshotIds> {
  const ids = await addressIds(db, flattened(ALL_TABLES.map((table) => table.addressesIn(snapshot))));
  const idOf = (address: string) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  const configs = flattened(ALL_TABLES.map((table) => table.configsIn(snapshot)));
  const known = await configIds(
    db,
    [...configs].map(([reserve, config]) => [idOf(reserve), config] as const),
  );
  return {
    idOf,
    configIdOf: (reserve, config) =>
      known.get(configKey(idOf(reserve), config)) ??
      refuse({ reserve }, 'reserve', 'a reserve with a known configuration'),
  };
}

function* flattened<T>(lists: Iterable<Iterable<T>>): Generator<T> {
  for (const list of lists) yield* list;
}

function spanOf(moments: readonly SampledAt[], step: Step): TimeSpan {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { sampledAt } of moments) {
    const bucket = bucketOf(sampledAt, step).getTime();
    [first, last] = [Math.min(first, bucket), Math.max(last, bucket)];
  }
  return { start: new Date(first), end: new Date(last + step * 1_000) };
}
