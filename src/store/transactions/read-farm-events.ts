import type { FarmChange, FarmEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { addressOf, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  type EventRange,
  optionalBigintOf,
  positionOf,
  type StoredPosition,
} from './event-order.ts';
import { type EventReader, optionalAddressOf, readEvents } from './read-events.ts';

export type StoredFarmEvent = FarmChange & StoredPosition;

/** A wallet in all farms, or a farm with all wallets. */
export type FarmEventScope =
  | { readonly wallet: Address; readonly farm?: undefined }
  | { readonly farm: Address; readonly wallet?: undefined };

export const FARM_READER: EventReader<StoredFarmEvent> = {
  table: 'farm_event',
  columns: 'e.kind, f.address AS farm, w.address AS wallet, m.address AS mint, e.amount::text AS amount',
  joins: `JOIN subject f ON f.id = e.farm_id JOIN subject w ON w.id = e.wallet_id
     LEFT JOIN subject m ON m.id = e.mint_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as FarmEventKind,
    farm: addressOf(row, 'farm'),
    wallet: addressOf(row, 'wallet'),
    mint: optionalAddressOf(row, 'mint'),
    amount: optionalBigintOf(row, 'amount'),
  }),
};

export interface FarmEventFilter extends EventRange {
  readonly kinds?: readonly FarmEventKind[] | null | undefined;
}

/** See `readEvents`. */
export async function readFarmEvents(
  sql: Sql,
  { wallet, farm }: FarmEventScope,
  page: EventPage,
  filter: FarmEventFilter = {},
): Promise<StoredFarmEvent[]> {
  const conditions = new Conditions();
  conditions.addSubject('wallet_id', wallet);
  conditions.addSubject('farm_id', farm);
  conditions.addKinds(filter.kinds);
  conditions.addRange(filter);
  return await readEvents(sql, FARM_READER, conditions, page);
}
