import type { FarmChange, FarmEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { scheduler } from '../../node/cooperative-scheduler.ts';
import { addressOf, type Row, textOf } from '../rows.ts';
import type { Sql } from '../sql.ts';
import {
  Conditions,
  type EventPage,
  limitOf,
  optionalBigintOf,
  orderBy,
  PLACE_COLUMNS,
  positionOf,
  type StoredPosition,
} from './event-order.ts';

export type StoredFarmEvent = FarmChange & StoredPosition;

/** A wallet in all farms, or a farm with all wallets. */
export type FarmEventScope =
  | { readonly wallet: Address; readonly farm?: undefined }
  | { readonly farm: Address; readonly wallet?: undefined };

/** Events in chain order. One statement. Events not ingested yet are not included: see `ingestStatus`. */
export async function readFarmEvents(
  sql: Sql,
  { wallet, farm }: FarmEventScope,
  page: EventPage,
): Promise<StoredFarmEvent[]> {
  const conditions = new Conditions();
  const [column, address] = farm === undefined ? ['wallet_id', wallet] : ['farm_id', farm];
  conditions.add(`${column} = (SELECT id FROM subject WHERE address = ${conditions.param(address)}::text)`);
  conditions.addPage(page);
  const limit = limitOf(page, conditions);
  const rows = await sql.rows(
    `SELECT ${PLACE_COLUMNS}, e.kind, f.address AS farm, w.address AS wallet, m.address AS mint,
       e.amount::text AS amount
     FROM (SELECT * FROM farm_event e ${conditions.where} ${orderBy(page)} ${limit}) e
     JOIN subject f ON f.id = e.farm_id JOIN subject w ON w.id = e.wallet_id
     LEFT JOIN subject m ON m.id = e.mint_id
     ${orderBy(page)}`,
    conditions.params,
  );
  return await scheduler.map(rows, farmEventOf);
}

function farmEventOf(row: Row): StoredFarmEvent {
  return {
    ...positionOf(row),
    kind: textOf(row, 'kind') as FarmEventKind,
    farm: addressOf(row, 'farm'),
    wallet: addressOf(row, 'wallet'),
    mint: row.mint === null ? null : addressOf(row, 'mint'),
    amount: optionalBigintOf(row, 'amount'),
  };
}
