import { bigintOf, integerOf, textOf } from '../rows.ts';
import type { Sql, SqlValue } from '../sql.ts';
import {
  ACTIVITY_SOURCES,
  type ActivityEvents,
  type ActivityQuery,
  type ActivitySource,
  SOURCES,
} from './activity-sources.ts';
import { type EventKey, type EventPage, orderBy } from './event-order.ts';
import { readEvents } from './read-events.ts';

/** Position of an event among those of all tables. */
export interface ActivityKey extends EventKey {
  /** Rank of its table, which decides within a transaction. */
  readonly rank: number;
}

/** An event of one of the tables. */
export type ActivityEvent = {
  [S in ActivitySource]: { readonly source: S; readonly key: ActivityKey; readonly event: ActivityEvents[S] };
}[ActivitySource];

export interface ActivityPage extends Omit<EventPage, 'limit' | 'after' | 'before'> {
  readonly limit: number;
  readonly after?: ActivityKey | null | undefined;
  readonly before?: ActivityKey | null | undefined;
}

/** Larger than every index of an event. */
const AFTER_ALL = 2_147_483_647;

/**
 * The next events in the order of the page, merged from all tables. One statement per table, each of at most as many rows
 * as the page has, so the work does not depend on the length of the history.
 */
export async function readActivity(
  sql: Sql,
  query: ActivityQuery,
  page: ActivityPage,
): Promise<ActivityEvent[]> {
  const lists = await Promise.all([
    readSource(sql, 'vault', query, page),
    readSource(sql, 'lending', query, page),
    readSource(sql, 'farm', query, page),
    readSource(sql, 'queue', query, page),
    readSource(sql, 'unread', query, page),
  ]);
  const direction = page.order === 'newestFirst' ? -1 : 1;
  return lists
    .flat()
    .sort((a, b) => direction * compareKeys(a.key, b.key))
    .slice(0, page.limit);
}

async function readSource<S extends ActivitySource>(
  sql: Sql,
  source: S,
  query: ActivityQuery,
  page: ActivityPage,
): Promise<ActivityEvent[]> {
  const { reader, conditions } = ACTIVITY_SOURCES[source];
  const where = conditions(query, []);
  if (where === null) return [];
  const rank = SOURCES.indexOf(source);
  const events = await readEvents<ActivityEvents[S]>(sql, reader, where, pageOf(page, rank));
  return events.map((event) => ({ source, key: keyOf(event, rank), event }) as ActivityEvent);
}

const keyOf = ({ slot, place, signature, index }: EventKey, rank: number): ActivityKey => ({
  slot,
  place,
  signature,
  index,
  rank,
});

const pageOf = ({ order, limit, after, before }: ActivityPage, rank: number): EventPage => ({
  order,
  limit,
  after: after && inTable(after, rank),
  before: before && inTable(before, rank),
});

/** The key at which a table continues: its events of the same transaction are all before it, or all after it. */
function inTable({ rank, ...key }: ActivityKey, ofTable: number): EventKey {
  if (rank === ofTable) return key;
  return { ...key, index: ofTable < rank ? AFTER_ALL : -1 };
}

/**
 * The key of the n-th event after the start of a page, or of the last one; null when there is none. One statement, which
 * reads keys alone.
 */
export async function activityKeyAt(
  sql: Sql,
  query: ActivityQuery,
  page: ActivityPage,
): Promise<{ readonly key: ActivityKey; readonly isLast: boolean } | null> {
  const params: SqlValue[] = [];
  const tables = SOURCES.flatMap((source, rank) => {
    const { reader, conditions } = ACTIVITY_SOURCES[source];
    const where = conditions(query, params);
    if (where === null) return [];
    const own = pageOf(page, rank);
    where.addPage(own);
    const limit = where.param(page.limit + 1);
    return [
      `(SELECT ${rank} AS rank, e.slot, COALESCE(e.place, 0) AS place, e.signature, e.event_index
        FROM ${reader.table} e ${where.where} ${orderBy(own)} LIMIT ${limit}::integer)`,
    ];
  });
  if (tables.length === 0) return null;
  const down = page.order === 'newestFirst' ? 'DESC' : 'ASC';
  const order = `k.slot ${down}, k.place ${down}, k.signature COLLATE "C" ${down}, k.rank ${down}, k.event_index ${down}`;
  const rows = await sql.rows(
    `SELECT rank, slot::text AS slot, place, signature, event_index, number, total FROM (
       SELECT k.*, row_number() OVER (ORDER BY ${order})::integer AS number, count(*) OVER ()::integer AS total
       FROM (${tables.join(' UNION ALL ')}) k) n
     WHERE number = LEAST(total, $${params.push(page.limit)}::integer)`,
    params,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    key: {
      slot: bigintOf(row, 'slot'),
      place: integerOf(row, 'place'),
      signature: textOf(row, 'signature'),
      index: integerOf(row, 'event_index'),
      rank: integerOf(row, 'rank'),
    },
    isLast: integerOf(row, 'total') <= page.limit,
  };
}

/** Chain order. Signatures compare by code unit, as in the database. */
export function compareKeys(a: ActivityKey, b: ActivityKey): number {
  if (a.slot !== b.slot) return a.slot < b.slot ? -1 : 1;
  if (a.place !== b.place) return a.place - b.place;
  if (a.signature !== b.signature) return a.signature < b.signature ? -1 : 1;
  return a.rank === b.rank ? a.index - b.index : a.rank - b.rank;
}
