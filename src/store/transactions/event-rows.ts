import type {
  AllocationEvent,
  CausedLendingEvent,
  CausedVaultEvent,
  EventPosition,
  FarmEvent,
  QueueEvent,
} from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import type { Sql, SqlValue } from '../sql.ts';

type Cell = string | number | bigint | null;
type IdOf = (address: Address) => number;

/** An event table and how to build its rows. */
export interface EventTable<E> {
  readonly name: string;
  /** The columns common to all tables, then its own. */
  readonly columns: readonly (readonly [name: string, type: string])[];
  cellsOf(event: E, idOf: IdOf): readonly Cell[];
  addressesIn(event: E): readonly (Address | null)[];
}

const PLACE_COLUMNS = [
  ['signature', 'text'],
  ['event_index', 'integer'],
  ['slot', 'bigint'],
  ['block_time', 'timestamptz'],
  ['kind', 'text'],
] as const;

const placeCells = ({ signature, index, slot, time, kind }: EventPosition & { readonly kind: string }) =>
  [signature, index, slot, new Date(time * 1_000).toISOString(), kind] as const;

export const VAULT_EVENTS: EventTable<CausedVaultEvent> = {
  name: 'vault_event',
  columns: [
    ...PLACE_COLUMNS,
    ['vault_id', 'integer'],
    ['wallet_id', 'integer'],
    ['tokens', 'numeric'],
    ['shares', 'numeric'],
    ['reserve_id', 'integer'],
    ['reserve_tokens', 'numeric'],
    ['counterparty_id', 'integer'],
    ['instruction', 'text'],
  ],
  cellsOf: (event, idOf) => [
    ...placeCells(event),
    idOf(event.vault),
    idOf(event.wallet),
    event.tokens,
    event.shares,
    event.reserve && idOf(event.reserve),
    event.reserveTokens,
    event.counterparty && idOf(event.counterparty),
    event.instruction,
  ],
  addressesIn: ({ vault, wallet, reserve, counterparty }) => [vault, wallet, reserve, counterparty],
};

export const LENDING_EVENTS: EventTable<CausedLendingEvent> = {
  name: 'lending_event',
  columns: [
    ...PLACE_COLUMNS,
    ['side', 'text'],
    ['obligation_id', 'integer'],
    ['market_id', 'integer'],
    ['reserve_id', 'integer'],
    ['owner_id', 'integer'],
    ['signer_id', 'integer'],
    ['liquidity', 'numeric'],
    ['collateral', 'numeric'],
    ['fee', 'numeric'],
    ['instruction', 'text'],
    ['order_placed_at', 'bigint'],
    ['order_left', 'numeric'],
  ],
  cellsOf: (event, idOf) => [
    ...placeCells(event),
    event.side,
    idOf(event.obligation),
    idOf(event.market),
    idOf(event.reserve),
    event.owner && idOf(event.owner),
    idOf(event.signer),
    event.liquidity,
    event.collateral,
    event.fee,
    event.instruction,
    event.order?.placedAt ?? null,
    event.order?.left ?? null,
  ],
  addressesIn: ({ obligation, market, reserve, owner, signer }) => [
    obligation,
    market,
    reserve,
    owner,
    signer,
  ],
};

export const FARM_EVENTS: EventTable<FarmEvent> = {
  name: 'farm_event',
  columns: [
    ...PLACE_COLUMNS,
    ['farm_id', 'integer'],
    ['wallet_id', 'integer'],
    ['mint_id', 'integer'],
    ['amount', 'numeric'],
    ['management', 'text'],
  ],
  cellsOf: (event, idOf) => [
    ...placeCells(event),
    idOf(event.farm),
    idOf(event.wallet),
    event.mint && idOf(event.mint),
    event.amount,
    event.management === undefined ? null : JSON.stringify(event.management),
  ],
  addressesIn: ({ farm, wallet, mint }) => [farm, wallet, mint],
};

export const ALLOCATION_EVENTS: EventTable<AllocationEvent> = {
  name: 'allocation_event',
  columns: [
    ...PLACE_COLUMNS,
    ['vault_id', 'integer'],
    ['signer_id', 'integer'],
    ['reserve_id', 'integer'],
    ['weight', 'numeric'],
    ['cap', 'numeric'],
    ['collateral_cap', 'numeric'],
  ],
  cellsOf: (event, idOf) => [
    ...placeCells(event),
    idOf(event.vault),
    idOf(event.signer),
    event.reserve && idOf(event.reserve),
    event.weight,
    event.cap,
    event.collateralCap,
  ],
  addressesIn: ({ vault, signer, reserve }) => [vault, signer, reserve],
};

export const QUEUE_EVENTS: EventTable<QueueEvent> = {
  name: 'queue_event',
  columns: [
    ...PLACE_COLUMNS,
    ['ticket_id', 'integer'],
    ['reserve_id', 'integer'],
    ['market_id', 'integer'],
    ['wallet_id', 'integer'],
    ['signer_id', 'integer'],
    ['collateral', 'numeric'],
    ['liquidity', 'numeric'],
    ['obligation_id', 'integer'],
    ['vault_id', 'integer'],
  ],
  cellsOf: (event, idOf) => [
    ...placeCells(event),
    idOf(event.ticket),
    idOf(event.reserve),
    idOf(event.market),
    idOf(event.wallet),
    idOf(event.signer),
    event.collateral,
    event.liquidity,
    event.obligation && idOf(event.obligation),
    event.vault && idOf(event.vault),
  ],
  addressesIn: ({ ticket, reserve, market, wallet, signer, obligation, vault }) => [
    ticket,
    reserve,
    market,
    wallet,
    signer,
    obligation,
    vault,
  ],
};

export const EVENT_TABLES = [
  VAULT_EVENTS.name,
  LENDING_EVENTS.name,
  FARM_EVENTS.name,
  ALLOCATION_EVENTS.name,
  QUEUE_EVENTS.name,
] as const;

/** Inserts events. `tailOf` is the address whose unfinalized tail they come from; null for final events. */
export async function insertEvents<E>(
  sql: Sql,
  { name, columns, cellsOf }: EventTable<E>,
  events: readonly E[],
  idOf: IdOf,
  tailOf: number | null,
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => cellsOf(event, idOf));
  const lists = columns.map((_, column): SqlValue => rows.map((cells) => cells[column] ?? null));
  const names = columns.map(([column]) => column).join(', ');
  const types = columns.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
  await sql.run(
    `INSERT INTO ${name} (${names}, tail_of) SELECT ${names}, $${columns.length + 1}::integer
     FROM unnest(${types}) AS u(${names}) ON CONFLICT DO NOTHING`,
    [...lists, tailOf],
  );
}
