import type { Database, Sql } from '../sql.ts';
import { ALL_TABLES } from './all-series.ts';
import { allColumns, type Cell, leadingKey, type Making, type SeriesTable } from './columns.ts';
import { fenced } from './fence.ts';
import { insertPoints, type OnConflict } from './insert-points.ts';
import { configIds, configKey } from './reserve-configs.ts';
import { rollUpTable } from './roll-up.ts';
import { refuse } from './rows.ts';
import type { Snapshot } from './samples.ts';
import { bucketOf, instantText, MINUTE, type Step, type TimeSpan } from './steps.ts';
import { subjectIds } from './subjects.ts';

/**
 * Records a minute: its points, and the hour and the day that they belong to. All of it or nothing; a minute that is
 * already recorded stays as it is. Resolves to whether it was written.
 *
 * @throws RECORDER_NOT_LEADER
 */
export async function writeSnapshot(db: Database, fence: bigint, snapshot: Snapshot): Promise<boolean> {
  const points = await pointsOf(db, MINUTE, [snapshot]);
  return await fenced(db, fence, async (sql) => {
    if ((await recordMinutes(sql, fence, [snapshot])) === 0) return false;
    await writePoints(sql, MINUTE, points, 'keep-first');
    return true;
  });
}

/**
 * Loads many snapshots of one step: history that was made, or kept elsewhere. Loading again changes nothing, and a
 * point that is already there gives way only to one of as many samples or more; a minute never gives way.
 *
 * A snapshot of an hour or a day stands for the minutes from the start of its bucket to its `sampledAt`, so that it
 * weighs as much as the minutes that it replaces when it is rolled up beside recorded ones.
 *
 * @throws RECORDER_NOT_LEADER
 */
export async function writeHistory(
  db: Database,
  fence: bigint,
  step: Step,
  snapshots: readonly Snapshot[],
): Promise<void> {
  if (snapshots.length === 0) return;
  const points = await pointsOf(db, step, snapshots);
  await fenced(db, fence, async (sql) => {
    if (step === MINUTE) await recordMinutes(sql, fence, snapshots);
    await writePoints(sql, step, points, step === MINUTE ? 'keep-first' : 'keep-richer');
  });
}

interface TablePoints {
  readonly table: SeriesTable;
  readonly rows: readonly (readonly Cell[])[];
  readonly ids: readonly number[];
  readonly span: TimeSpan;
}

/** Everything that can be made before the transaction is, so that it is short. */
async function pointsOf(db: Database, step: Step, snapshots: readonly Snapshot[]): Promise<TablePoints[]> {
  const making = await namesOf(db, snapshots);
  const span = spanOf(snapshots, step);
  return ALL_TABLES.map((table) => {
    const rows = snapshots.flatMap((snapshot) => rowsOf(table, step, snapshot, making));
    const leading = allColumns(table).findIndex(({ name }) => name === leadingKey(table));
    return { table, rows, ids: [...new Set(rows.map((cells) => Number(cells[leading])))], span };
  }).filter(({ rows }) => rows.length > 0);
}

function rowsOf(table: SeriesTable, step: Step, snapshot: Snapshot, names: Omit<Making, 'weight'>): Cell[][] {
  const bucket = bucketOf(snapshot.sampledAt, step);
  const weight = Math.floor((snapshot.sampledAt.getTime() - bucket.getTime()) / (MINUTE * 1_000)) + 1;
  const shared = [
    step,
    instantText(bucket),
    weight,
    snapshot.slot.toString(),
    instantText(snapshot.sampledAt),
  ];
  return table.cellsOf(snapshot, { ...names, weight }).map((cells) => [...shared, ...cells]);
}

async function writePoints(
  sql: Sql,
  step: Step,
  points: readonly TablePoints[],
  onConflict: OnConflict,
): Promise<void> {
  for (const { table, rows, ids, span } of points) {
    await insertPoints(sql, table, rows, onConflict);
    await rollUpTable(sql, table, ids, span, step);
  }
}

/** Resolves to how many of the minutes were not recorded before. */
function recordMinutes(sql: Sql, fence: bigint, snapshots: readonly Snapshot[]): Promise<number> {
  return sql.run(
    `INSERT INTO snapshot (bucket, slot, sampled_at, fence)
     SELECT bucket, slot, sampled_at, $4::bigint
     FROM unnest($1::timestamptz[], $2::bigint[], $3::timestamptz[]) AS u(bucket, slot, sampled_at)
     ON CONFLICT DO NOTHING`,
    [
      snapshots.map(({ sampledAt }) => instantText(bucketOf(sampledAt, MINUTE))),
      snapshots.map(({ slot }) => slot.toString()),
      snapshots.map(({ sampledAt }) => instantText(sampledAt)),
      fence.toString(),
    ],
  );
}

async function namesOf(db: Database, snapshots: readonly Snapshot[]): Promise<Omit<Making, 'weight'>> {
  const addresses = ALL_TABLES.flatMap((table) => snapshots.map((snapshot) => table.addressesIn(snapshot)));
  const ids = await subjectIds(db, flattened(addresses));
  const idOf = (address: string) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  const configs = ALL_TABLES.flatMap((table) => snapshots.map((snapshot) => table.configsIn(snapshot)));
  const known = await configIds(
    db,
    [...flattened(configs)].map(([reserve, config]) => [idOf(reserve), config] as const),
  );
  return {
    idOf,
    configIdOf: (reserve, config) =>
      known.get(configKey(idOf(reserve), config)) ??
      refuse({ reserve }, 'reserve', 'of a known configuration'),
  };
}

function* flattened<T>(lists: Iterable<Iterable<T>>): Generator<T> {
  for (const list of lists) yield* list;
}

function spanOf(snapshots: readonly Snapshot[], step: Step): TimeSpan {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { sampledAt } of snapshots) {
    const bucket = bucketOf(sampledAt, step).getTime();
    [first, last] = [Math.min(first, bucket), Math.max(last, bucket)];
  }
  return { start: new Date(first), end: new Date(last + step * 1_000) };
}
