import type { LendingChange, LendingEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { addressOf, bigintOf, integerOf, type Row, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  limitOf,
  optionalBigintOf,
  orderBy,
  PLACE_COLUMNS,
  positionOf,
  type StoredPosition,
} from './event-order.ts';

export interface StoredLendingEvent extends LendingChange, StoredPosition {
  /** See `CausedLendingEvent`. Null for one that a version before 0.5 stored. */
  readonly instruction: string | null;
}

/** One obligation, or all obligations of a wallet in one market or in all. */
export type LendingEventScope =
  | { readonly obligation: Address; readonly owner?: undefined; readonly market?: undefined }
  | {
      readonly owner: Address;
      readonly market?: Address | null | undefined;
      readonly obligation?: undefined;
    };

export interface LendingEventFilter extends EventRange {
  readonly kinds?: readonly LendingEventKind[] | null | undefined;
}

/** Events in chain order. One statement. Events not ingested yet are not included: see `ingestStatus`. */
export async function readLendingEvents(
  sql: Sql,
  scope: LendingEventScope,
  filter: LendingEventFilter,
  page: EventPage,
): Promise<StoredLendingEvent[]> {
  return await eventsWhere(sql, conditionsOf(scope, filter), page);
}

/** All events of the obligations, oldest first. One statement, however many. */
export async function readObligationEvents(
  sql: Sql,
  obligations: readonly Address[],
): Promise<ReadonlyMap<Address, readonly StoredLendingEvent[]>> {
  const lists = new Map(obligations.map((obligation) => [obligation, [] as StoredLendingEvent[]]));
  if (lists.size === 0) return lists;
  const conditions = new Conditions();
  const addresses = conditions.param([...lists.keys()]);
  conditions.add(`obligation_id IN (SELECT id FROM subject WHERE address = ANY(${addresses}::text[]))`);
  const events = await eventsWhere(sql, conditions, { order: 'oldestFirst', limit: null });
  for (const event of events) lists.get(event.obligation)?.push(event);
  return lists;
}

async function eventsWhere(sql: Sql, conditions: Conditions, page: EventPage): Promise<StoredLendingEvent[]> {
  conditions.addPage(page);
  const limit = limitOf(page, conditions);
  const rows = await sql.rows(
    `SELECT ${PLACE_COLUMNS}, e.kind, e.side, o.address AS obligation, m.address AS market,
       r.address AS reserve, w.address AS owner, s.address AS signer, e.liquidity::text AS liquidity,
       e.collateral::text AS collateral, e.fee::text AS fee, e.instruction
     FROM (SELECT * FROM lending_event e ${conditions.where} ${orderBy(page)} ${limit}) e
     JOIN subject o ON o.id = e.obligation_id JOIN subject m ON m.id = e.market_id
     JOIN subject r ON r.id = e.reserve_id JOIN subject s ON s.id = e.signer_id
     LEFT JOIN subject w ON w.id = e.owner_id
     ${orderBy(page)}`,
    conditions.params,
  );
  return await scheduler.map(rows, lendingEventOf);
}

/** The number of matching events, across all pages. */
export async function countLendingEvents(
  sql: Sql,
  scope: LendingEventScope,
  filter: LendingEventFilter,
): Promise<number> {
  const conditions = conditionsOf(scope, filter);
  const [row = {}] = await sql.rows(
    `SELECT count(*)::integer AS count FROM lending_event ${conditions.where}`,
    conditions.params,
  );
  return integerOf(row, 'count');
}

/** All obligations that a wallet ever had, including closed ones, as far as was read. */
export async function obligationsOfWallet(sql: Sql, owner: Address): Promise<Address[]> {
  const rows = await sql.rows(
    `SELECT address FROM subject WHERE id IN (
       SELECT obligation_id FROM lending_event
       WHERE owner_id = (SELECT id FROM subject WHERE address = $1::text))
     ORDER BY address COLLATE "C"`,
    [owner],
  );
  return rows.map((row) => addressOf(row, 'address'));
}

/** Owners of obligations, from earlier events: for closed obligations this is the only source. */
export async function ownersOfObligations(
  sql: Sql,
  obligations: readonly Address[],
): Promise<ReadonlyMap<Address, Address>> {
  if (obligations.length === 0) return new Map();
  const rows = await sql.rows(
    `SELECT DISTINCT o.address AS obligation, w.address AS owner
     FROM lending_event e JOIN subject o ON o.id = e.obligation_id JOIN subject w ON w.id = e.owner_id
     WHERE o.address = ANY($1::text[])`,
    [obligations],
  );
  return new Map(rows.map((row) => [addressOf(row, 'obligation'), addressOf(row, 'owner')]));
}

function conditionsOf(scope: LendingEventScope, filter: LendingEventFilter): Conditions {
  const conditions = new Conditions();
  const { obligation, owner, market } = scope;
  const idOf = (address: Address) =>
    `(SELECT id FROM subject WHERE address = ${conditions.param(address)}::text)`;
  if (obligation) conditions.add(`obligation_id = ${idOf(obligation)}`);
  if (owner) conditions.add(`owner_id = ${idOf(owner)}`);
  if (market) conditions.add(`market_id = ${idOf(market)}`);
  conditions.addKinds(filter.kinds);
  conditions.addRange(filter);
  return conditions;
}

function lendingEventOf(row: Row): StoredLendingEvent {
  return {
    ...positionOf(row),
    kind: textOf(row, 'kind') as LendingEventKind,
    side: textOf(row, 'side') as LendingChange['side'],
    obligation: addressOf(row, 'obligation'),
    market: addressOf(row, 'market'),
    reserve: addressOf(row, 'reserve'),
    owner: row.owner === null ? null : addressOf(row, 'owner'),
    signer: addressOf(row, 'signer'),
    liquidity: optionalBigintOf(row, 'liquidity'),
    collateral: bigintOf(row, 'collateral'),
    fee: bigintOf(row, 'fee'),
    instruction: row.instruction === null ? null : textOf(row, 'instruction'),
  };
}
