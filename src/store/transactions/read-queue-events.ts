import type { QueueChange, QueueEventKind } from '@sluice/protocol/transactions/events';
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

/** Events after an `enqueue` have the obligation and vault of it, once it was read. */
export type StoredQueueEvent = QueueChange & StoredPosition;

/** Tickets of a wallet, of a reserve, of a market, or those that a vault paid into. */
export type QueueEventScope =
  | {
      readonly wallet: Address;
      readonly market?: Address | null | undefined;
      readonly reserve?: undefined;
      readonly vault?: undefined;
    }
  | {
      readonly reserve: Address;
      readonly wallet?: undefined;
      readonly market?: undefined;
      readonly vault?: undefined;
    }
  | {
      readonly market: Address;
      readonly wallet?: undefined;
      readonly reserve?: undefined;
      readonly vault?: undefined;
    }
  | {
      readonly vault: Address;
      readonly wallet?: undefined;
      readonly reserve?: undefined;
      readonly market?: undefined;
    };

export interface QueueEventFilter extends EventRange {
  readonly kinds?: readonly QueueEventKind[] | null | undefined;
  /** Only entries whose ticket still holds collateral tokens, as far as its later events are known. */
  readonly isOpen?: boolean;
}

export const QUEUE_READER: EventReader<StoredQueueEvent> = {
  table: 'queue_event',
  columns: `e.kind, t.address AS ticket, r.address AS reserve, m.address AS market, w.address AS wallet,
       s.address AS signer, e.collateral::text AS collateral, e.liquidity::text AS liquidity,
       o.address AS obligation, v.address AS vault`,
  joins: `JOIN subject t ON t.id = e.ticket_id JOIN subject r ON r.id = e.reserve_id
     JOIN subject m ON m.id = e.market_id JOIN subject w ON w.id = e.wallet_id
     JOIN subject s ON s.id = e.signer_id LEFT JOIN subject o ON o.id = e.obligation_id
     LEFT JOIN subject v ON v.id = e.vault_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as QueueEventKind,
    ticket: addressOf(row, 'ticket'),
    reserve: addressOf(row, 'reserve'),
    market: addressOf(row, 'market'),
    wallet: addressOf(row, 'wallet'),
    signer: addressOf(row, 'signer'),
    collateral: bigintOf(row, 'collateral'),
    liquidity: optionalBigintOf(row, 'liquidity'),
    obligation: optionalAddressOf(row, 'obligation'),
    vault: optionalAddressOf(row, 'vault'),
  }),
};

const OPEN = `kind = 'enqueue' AND collateral > (SELECT COALESCE(sum(later.collateral), 0) FROM queue_event later
  WHERE later.ticket_id = e.ticket_id AND later.kind <> 'enqueue')`;

/** See `readEvents`. */
export async function readQueueEvents(
  sql: Sql,
  scope: QueueEventScope,
  filter: QueueEventFilter,
  page: EventPage,
): Promise<StoredQueueEvent[]> {
  return await readEvents(sql, QUEUE_READER, conditionsOf(scope, filter), page);
}

/** See `countEvents`. */
export async function countQueueEvents(
  sql: Sql,
  scope: QueueEventScope,
  filter: QueueEventFilter,
): Promise<number> {
  return await countEvents(sql, QUEUE_READER, conditionsOf(scope, filter));
}

function conditionsOf(scope: QueueEventScope, filter: QueueEventFilter): Conditions {
  const conditions = new Conditions();
  conditions.addSubject('wallet_id', scope.wallet);
  conditions.addSubject('reserve_id', scope.reserve);
  conditions.addSubject('market_id', scope.market);
  conditions.addSubject('vault_id', scope.vault);
  conditions.addKinds(filter.kinds);
  conditions.addRange(filter);
  if (filter.isOpen) conditions.add(OPEN);
  return conditions;
}
