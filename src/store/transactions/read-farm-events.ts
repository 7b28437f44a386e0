import type {
  FarmChange,
  FarmEventKind,
  FarmManagement,
  StakerEventKind,
} from '@sluice/protocol/transactions/events';
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

export type AnyFarmEvent = FarmChange & StoredPosition;

/** A transaction of a staker. */
export type StoredFarmEvent = AnyFarmEvent & { readonly kind: StakerEventKind };

/** An event of a farm's administration. */
export type StoredFarmManagement = AnyFarmEvent & { readonly management: FarmManagement };

/** A wallet in all farms, or a farm with all wallets. */
export type FarmEventScope =
  | { readonly wallet: Address; readonly farm?: undefined }
  | { readonly farm: Address; readonly wallet?: undefined };

const FARM_READER: EventReader<AnyFarmEvent> = {
  table: 'farm_event',
  columns:
    'e.kind, f.address AS farm, w.address AS wallet, m.address AS mint, e.amount::text AS amount, e.management',
  joins: `JOIN subject f ON f.id = e.farm_id JOIN subject w ON w.id = e.wallet_id
     LEFT JOIN subject m ON m.id = e.mint_id`,
  eventOf: (row) => ({
    ...positionOf(row),
    kind: textOf(row, 'kind') as FarmEventKind,
    farm: addressOf(row, 'farm'),
    wallet: addressOf(row, 'wallet'),
    mint: optionalAddressOf(row, 'mint'),
    amount: optionalBigintOf(row, 'amount'),
    ...(row.management === null
      ? {}
      : { management: JSON.parse(textOf(row, 'management')) as FarmManagement }),
  }),
};

export const STAKER_KINDS: readonly StakerEventKind[] = ['stake', 'unstake', 'withdraw', 'harvest'];

/** For conditions on `STAKER_KINDS`. */
export const STAKER_READER: EventReader<StoredFarmEvent> = {
  ...FARM_READER,
  eventOf: (row) => ({ ...FARM_READER.eventOf(row), kind: textOf(row, 'kind') as StakerEventKind }),
};

const isManagement = (event: AnyFarmEvent): event is StoredFarmManagement => event.management !== undefined;

export interface FarmEventFilter extends EventRange {
  readonly kinds?: readonly StakerEventKind[] | null | undefined;
}

/** Transactions of stakers. See `readEvents`. */
export async function readFarmEvents(
  sql: Sql,
  { wallet, farm }: FarmEventScope,
  page: EventPage,
  filter: FarmEventFilter = {},
): Promise<StoredFarmEvent[]> {
  const conditions = new Conditions();
  conditions.addSubject('wallet_id', wallet);
  conditions.addSubject('farm_id', farm);
  conditions.addKinds(filter.kinds ?? STAKER_KINDS);
  conditions.addRange(filter);
  return await readEvents(sql, STAKER_READER, conditions, page);
}

/** What the administration of a farm did. See `readEvents`. */
export async function readFarmManagement(
  sql: Sql,
  farm: Address,
  page: EventPage,
): Promise<StoredFarmManagement[]> {
  const conditions = new Conditions();
  conditions.addSubject('farm_id', farm);
  conditions.addKinds(['manage']);
  return (await readEvents(sql, FARM_READER, conditions, page)).filter(isManagement);
}
