import type { EventPosition } from '../../domain/transactions/events.ts';
import { bigintOf, instantOf, integerOf, type Row, textOf } from '../history/rows.ts';
import { instantText, type TimeSpan } from '../history/steps.ts';
import type { SqlValue } from '../sql.ts';

/** Where an event stands in the order of the chain. Compared part by part, and equal for no two events. */
export interface EventKey {
  readonly slot: bigint;
  /** Position in the block; 0 where nothing else of ours is in it. Negative where the block could not be read. */
  readonly place: number;
  readonly signature: string;
  /** Place among the events of its transaction, from 0. */
  readonly index: number;
}

/** What an event has besides what the transaction told. */
export interface StoredPlace extends EventPosition, EventKey {
  /** False while the chain may still give the transaction up. */
  readonly final: boolean;
}

/** Which part of a list is wanted. A list never shows an event twice, whatever arrives while it is being read. */
export interface EventPage {
  readonly order: 'newestFirst' | 'oldestFirst';
  /** Null for all of them. */
  readonly limit: number | null;
  /** Only what comes behind this one in the order asked for. */
  readonly after?: EventKey | null | undefined;
  /** Only what comes before this one in the order asked for. */
  readonly before?: EventKey | null | undefined;
}

/** By the time of the block; either end may be open. */
export type EventRange = Partial<TimeSpan>;

/** Compared byte by byte whatever the database's language. */
const KEY = '(slot, COALESCE(place, 0), signature COLLATE "C", event_index)';
export const PLACE_COLUMNS = `e.signature, e.event_index, e.slot::text AS slot, COALESCE(e.place, 0) AS place,
  date_part('epoch', e.block_time) * 1000 AS block_time, e.tail_of IS NULL AS final`;

/** Collects the parameters of a statement as its text is made. */
export class Conditions {
  readonly params: SqlValue[] = [];
  readonly #list: string[] = [];

  /** The placeholder of a value. */
  given(value: SqlValue): string {
    return `$${this.params.push(value)}`;
  }

  add(condition: string): void {
    this.#list.push(condition);
  }

  addRange({ start, end }: EventRange): void {
    if (start !== undefined) this.add(`block_time >= ${this.given(instantText(start))}::timestamptz`);
    if (end !== undefined) this.add(`block_time < ${this.given(instantText(end))}::timestamptz`);
  }

  addKinds(kinds: readonly string[] | null | undefined): void {
    if (kinds) this.add(`kind = ANY(${this.given(kinds)}::text[])`);
  }

  addPage({ order, after, before }: EventPage): void {
    const newest = order === 'newestFirst';
    if (after) this.add(`${KEY} ${newest ? '<' : '>'} ${this.#key(after)}`);
    if (before) this.add(`${KEY} ${newest ? '>' : '<'} ${this.#key(before)}`);
  }

  get where(): string {
    return this.#list.length === 0 ? '' : `WHERE ${this.#list.join(' AND ')}`;
  }

  #key({ slot, place, signature, index }: EventKey): string {
    return `(${this.given(slot)}::bigint, ${this.given(place)}::integer, ${this.given(signature)}::text, ${this.given(index)}::integer)`;
  }
}

/** Of the rows themselves: a bare name would mean the column that is answered, and a slot is answered as text. */
export function orderBy({ order }: EventPage): string {
  const direction = order === 'newestFirst' ? 'DESC' : 'ASC';
  return `ORDER BY e.slot ${direction}, COALESCE(e.place, 0) ${direction}, e.signature COLLATE "C" ${direction}, e.event_index ${direction}`;
}

export function limitOf({ limit }: EventPage, conditions: Conditions): string {
  return limit === null ? '' : `LIMIT ${conditions.given(limit)}::integer`;
}

export function placeOf(row: Row): StoredPlace {
  return {
    signature: textOf(row, 'signature'),
    slot: bigintOf(row, 'slot'),
    place: integerOf(row, 'place'),
    index: integerOf(row, 'event_index'),
    time: instantOf(row, 'block_time').getTime() / 1_000,
    final: row.final === true,
  };
}

export function optionalBigintOf(row: Row, column: string): bigint | null {
  return row[column] === null ? null : bigintOf(row, column);
}
