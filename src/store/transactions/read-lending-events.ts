import type { LendingChange, LendingEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressOf, bigintOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  optionalBigintOf,
  positionOf,
  type StoredPosition,
} from './event-order.ts';
import { countEvents, type EventReader, optionalAddressOf, readEvents } from './read-events.ts';

export interface StoredLendingEvent extends LendingChange, StoredPosition {
  /** See `CausedLendingEvent`. Null for one that a version before 0.5 stored. */
  readonly instruction: string | null;
}

/** One obligation, all obligations of a wallet in one market or in all, or a market. */
export type LendingEventScope =
  | { readonly obligation: Address; readonly owner?: undefined; readonly market?: undefined }
  | {
      readonly owner: Address;
      readonly market?: Address | null | undefined;
      readonly obligation?: undefined;
    }
  | { readonly market: Address; readonly owner?: undefined; readonly obligation?: undefined };

export interface LendingEventFilter extends EventRange {
  readonly kinds?: readonly LendingEventKind[] | null | undefined;
  /** Name of the instruction. Omit for all. */
  readonly instruction?: string | null | undefined;
}

export const LENDING_READER: EventReader<StoredLendingEvent> = {
  table: 'lending_event',
  columns: `e.kind, e.side, o.address AS obligation, m.address AS market,
       r.address AS reserve, w.address AS owner, s.address AS signer, e.liquidity::text AS liquidity,
       e.collateral::text AS collateral, e.fee::text AS fee, e.instruction,
       e.order_placed_at::text AS order_placed_at, e.order_left::text AS order_left`,
  joins: `JOIN subject o ON o.id = e.obligation_id JOIN subject m ON m.id = e.market_id
     JOIN subject r ON r.id = e.reserve_id JOIN subject s ON s.id = e.signer_id
     LEFT JOIN subject w ON w.id = e.owner_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as LendingEventKind,
    side: textOf(row, 'side') as LendingChange['side'],
    obligation: addressOf(row, 'obligation'),
    market: addressOf(row, 'market'),
    reserve: addressOf(row, 'reserve'),
    owner: optionalAddressOf(row, 'owner'),
    signer: addressOf(row, 'signer'),
    liquidity: optionalBigintOf(row, 'liquidity'),
    collateral: bigintOf(row, 'collateral'),
    fee: bigintOf(row, 'fee'),
    instruction: row.instruction === null ? null : textOf(row, 'instruction'),
    ...(row.order_left === null
      ? {}
      : { order: { placedAt: bigintOf(row, 'order_placed_at'), left: bigintOf(row, 'order_left') } }),
  }),
};

/** See `readEvents`. */
export async function readLendingEvents(
  sql: Sql,
  scope: LendingEventScope,
  filter: LendingEventFilter,
  page: EventPage,
): Promise<StoredLendingEvent[]> {
  return await readEvents(sql, LENDING_READER, conditionsOf(scope, filter), page);
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
  const events = await readEvents(sql, LENDING_READER, conditions, { order: 'oldestFirst', limit: null });
  for (const event of events) lists.get(event.obligation)?.push(event);
  return lists;
}

/** See `countEvents`. */
export async function countLendingEvents(
  sql: Sql,
  scope: LendingEventScope,
  filter: LendingEventFilter,
): Promise<number> {
  return await countEvents(sql, LENDING_READER, conditionsOf(scope, filter));
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
  conditions.addSubject('obligation_id', scope.obligation);
  conditions.addSubject('owner_id', scope.owner);
  conditions.addSubject('market_id', scope.market);
  conditions.addKinds(filter.kinds);
  conditions.addInstruction(filter.instruction);
  conditions.addRange(filter);
  return conditions;
}
