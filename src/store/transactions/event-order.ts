import type { EventPosition } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { instantText, type TimeSpan } from '../history/time-buckets.ts';
import { bigintOf, instantOf, integerOf, type Row, textOf } from '../rows.ts';
import type { SqlValue } from '../sql.ts';

/** Position of an event in chain order. Compared field by field; unique per event. */
export interface EventKey {
  readonly slot: bigint;
  /**
   * Position in the block; 0 when no other transaction of ours is in it, negative when the block could not be
   * read.
   */
  readonly place: number;
  readonly signature: string;
  /** Index among the events of its transaction, from 0. */
  readonly index: number;
}

/** Position and finality of a stored event. */
export interface StoredPosition extends EventPosition, EventKey {
  /** False while the cluster may still drop the transaction. */
  readonly final: boolean;
}

/** One page of a list. Paging never returns an event twice, even when new ones arrive in between. */
export interface EventPage {
  readonly order: 'newestFirst' | 'oldestFirst';
  /** Null for no limit. */
  readonly limit: number | null;
  /** Only events after this one, in the given order. */
  readonly after?: EventKey | null | undefined;
  /** Only events before this one, in the given order. */
  readonly before?: EventKey | null | undefined;
}

/** A range of block times; either end may be open. */
export type EventRange = Partial<TimeSpan>;

/** Signatures compare in byte order, independent of the database's collation. */
const KEY = '(slot, COALESCE(place, 0), signature COLLATE "C", event_index)';
export const PLACE_COLUMNS = `e.signature, e.event_index, e.slot::text AS slot, COALESCE(e.place, 0) AS place,
  date_part('epoch', e.block_time) * 1000 AS block_time, e.tail_of IS NULL AS final`;

/** Builds a WHERE clause and collects its parameters. */
export class Conditions {
  readonly params: SqlValue[];
  readonly #list: string[] = [];

  /** @param params of the statement so far, when it has several WHERE clauses */
  constructor(params: SqlValue[] = []) {
    this.params = params;
  }

  /** Adds a parameter and returns its placeholder. */
  param(value: SqlValue): string {
    return `$${this.params.push(value)}`;
  }

  add(condition: string): void {
    this.#list.push(condition);
  }

  /** Adds a condition on the id of an address; none for no address. */
  addSubject(column: string, address: Address | null | undefined): void {
    if (address)
      this.add(`${column} = (SELECT id FROM subject WHERE address = ${this.param(address)}::text)`);
  }

  /** Adds a condition that the id is that of one of the addresses; none for null. */
  addSubjects(column: string, addresses: readonly Address[] | null): void {
    if (addresses !== null) this.add(`${column} = ANY(ARRAY${this.ids(addresses)})`);
  }

  /** A subquery for the ids of addresses. */
  ids(addresses: readonly Address[]): string {
    return `(SELECT id FROM subject WHERE address = ANY(${this.param(addresses)}::text[]))`;
  }

  addRange({ start, end }: EventRange): void {
    if (start !== undefined) this.add(`block_time >= ${this.param(instantText(start))}::timestamptz`);
    if (end !== undefined) this.add(`block_time < ${this.param(instantText(end))}::timestamptz`);
  }

  addKinds(kinds: readonly string[] | null | undefined): void {
    if (kinds) this.add(`kind = ANY(${this.param(kinds)}::text[])`);
  }

  addInstruction(instruction: string | null | undefined): void {
    if (instruction) this.add(`instruction = ${this.param(instruction)}::text`);
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
    return `(${this.param(slot)}::bigint, ${this.param(place)}::integer, ${this.param(signature)}::text, ${this.param(index)}::integer)`;
  }
}

/** Columns are qualified: an unqualified `slot` would mean the output column, which is text. */
export function orderBy({ order }: EventPage): string {
  const direction = order === 'newestFirst' ? 'DESC' : 'ASC';
  return `ORDER BY e.slot ${direction}, COALESCE(e.place, 0) ${direction}, e.signature COLLATE "C" ${direction}, e.event_index ${direction}`;
}

export function limitOf({ limit }: EventPage, conditions: Conditions): string {
  return limit === null ? '' : `LIMIT ${conditions.param(limit)}::integer`;
}

export function positionOf(row: Row): StoredPosition {
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
