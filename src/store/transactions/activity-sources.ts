import type {
  LendingEventKind,
  QueueEventKind,
  StakerEventKind,
  VaultEventKind,
} from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import { bigintOf, integerOf, textOf } from '../rows.ts';
import type { SqlValue } from '../sql.ts';
import { Conditions, type EventKey, type EventRange } from './event-order.ts';
import type { EventReader } from './read-events.ts';
import { STAKER_KINDS, STAKER_READER, type StoredFarmEvent } from './read-farm-events.ts';
import { LENDING_READER, type StoredLendingEvent } from './read-lending-events.ts';
import { QUEUE_READER, type StoredQueueEvent } from './read-queue-events.ts';
import { type StoredVaultEvent, VAULT_READER } from './read-vault-events.ts';

/** A transaction that a node listed but did not return. Only its place is known. */
export interface UnreadTransaction extends EventKey {
  readonly reason: string;
}

/** Events of each table that activity is merged from. Within a transaction they are ordered as here. */
export interface ActivityEvents {
  vault: StoredVaultEvent;
  lending: StoredLendingEvent;
  farm: StoredFarmEvent;
  queue: StoredQueueEvent;
  unread: UnreadTransaction;
}

export type ActivitySource = keyof ActivityEvents;

/** The events of a wallet to merge. A table with null is left out; a list with null has no condition. */
export interface ActivityQuery extends EventRange {
  readonly wallet: Address;
  readonly vault: {
    readonly kinds: readonly VaultEventKind[];
    readonly vaults: readonly Address[] | null;
  } | null;
  readonly lending: {
    readonly kinds: readonly LendingEventKind[];
    readonly markets: readonly Address[] | null;
    readonly reserves: readonly Address[] | null;
  } | null;
  readonly farm: {
    readonly kinds: readonly StakerEventKind[];
    readonly farms: readonly Address[] | null;
    /** An event that does not name its token is taken for the token that the wallet staked in the same farm. */
    readonly mints: readonly Address[] | null;
  } | null;
  readonly queue: {
    readonly kinds: readonly QueueEventKind[];
    /** Tickets of these markets, or that these vaults paid into. */
    readonly places: { readonly markets: readonly Address[]; readonly vaults: readonly Address[] } | null;
    readonly reserves: readonly Address[] | null;
  } | null;
  /** Their time is unknown, so a range does not leave them out. */
  readonly unread: boolean;
}

/** A table of activity, and which of its rows a query asks for. */
interface Source<E> {
  readonly reader: EventReader<E>;
  /** Null when the query leaves the table out. */
  conditions(query: ActivityQuery, params: SqlValue[]): Conditions | null;
}

const UNREAD_READER: EventReader<UnreadTransaction> = {
  table: `(SELECT signature, 0 AS event_index, slot, NULL::integer AS place, NULL::timestamptz AS block_time,
       NULL::integer AS tail_of, address_id, reason FROM ingest_missing)`,
  columns: 'e.reason',
  joins: '',
  eventOf: (row) => ({
    slot: bigintOf(row, 'slot'),
    place: integerOf(row, 'place'),
    signature: textOf(row, 'signature'),
    index: 0,
    reason: textOf(row, 'reason'),
  }),
};

function ofWallet({ wallet, ...range }: ActivityQuery, column: string, params: SqlValue[]): Conditions {
  const conditions = new Conditions(params);
  conditions.addSubject(column, wallet);
  conditions.addRange(range);
  return conditions;
}

/** A source is an entry here; its position is its rank within a transaction. */
export const ACTIVITY_SOURCES: { readonly [S in ActivitySource]: Source<ActivityEvents[S]> } = {
  vault: {
    reader: VAULT_READER,
    conditions(query, params) {
      if (query.vault === null) return null;
      const conditions = ofWallet(query, 'wallet_id', params);
      conditions.addKinds(query.vault.kinds);
      conditions.addSubjects('vault_id', query.vault.vaults);
      return conditions;
    },
  },
  lending: {
    reader: LENDING_READER,
    conditions(query, params) {
      if (query.lending === null) return null;
      const conditions = ofWallet(query, 'owner_id', params);
      conditions.addKinds(query.lending.kinds);
      conditions.addSubjects('market_id', query.lending.markets);
      conditions.addSubjects('reserve_id', query.lending.reserves);
      return conditions;
    },
  },
  farm: {
    reader: STAKER_READER,
    conditions(query, params) {
      if (query.farm === null) return null;
      const { kinds, farms, mints } = query.farm;
      const conditions = ofWallet(query, 'wallet_id', params);
      conditions.addKinds(kinds ?? STAKER_KINDS);
      conditions.addSubjects('farm_id', farms);
      if (mints !== null) {
        const ids = conditions.ids(mints);
        conditions.add(`(mint_id IN ${ids} OR (mint_id IS NULL AND farm_id IN (
          SELECT s.farm_id FROM farm_event s WHERE s.wallet_id = e.wallet_id AND s.kind = 'stake' AND s.mint_id IN ${ids})))`);
      }
      return conditions;
    },
  },
  queue: {
    reader: QUEUE_READER,
    conditions(query, params) {
      if (query.queue === null) return null;
      const { kinds, places, reserves } = query.queue;
      const conditions = ofWallet(query, 'wallet_id', params);
      conditions.addKinds(kinds);
      conditions.addSubjects('reserve_id', reserves);
      if (places !== null) {
        const [markets, vaults] = [conditions.ids(places.markets), conditions.ids(places.vaults)];
        conditions.add(`(market_id IN ${markets} OR vault_id IN ${vaults})`);
      }
      return conditions;
    },
  },
  unread: {
    reader: UNREAD_READER,
    conditions({ wallet, unread }, params) {
      if (!unread) return null;
      const conditions = new Conditions(params);
      const of = conditions.ids([wallet]);
      const own = (column: string) =>
        `(${column} IN ${of} OR ${column} IN (SELECT l.obligation_id FROM lending_event l WHERE l.owner_id IN ${of}))`;
      conditions.add(own('e.address_id'));
      // It may be missing in the lists of several addresses.
      conditions.add(
        `NOT EXISTS (SELECT 1 FROM ingest_missing d
           WHERE d.signature = e.signature AND d.address_id < e.address_id AND ${own('d.address_id')})`,
      );
      return conditions;
    },
  },
};

export const SOURCES = Object.keys(ACTIVITY_SOURCES) as readonly ActivitySource[];
