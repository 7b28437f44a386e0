import type { WorldChain } from '@sluice/localnet/world/world-chain';
import { MAINNET_PROGRAMS } from '@sluice/protocol/program-ids';
import type {
  CausedLendingEvent,
  CausedVaultEvent,
  FarmEvent,
  QueueEvent,
} from '@sluice/protocol/transactions/events';
import { createTransactionReader } from '@sluice/protocol/transactions/read-transaction';
import type { Address } from '@solana/kit';
import { addressIds } from '../../../src/store/history/address-ids.ts';
import { refuse } from '../../../src/store/rows.ts';
import type { Database } from '../../../src/store/sql.ts';
import {
  type EventTable,
  FARM_EVENTS,
  insertEvents,
  LENDING_EVENTS,
  QUEUE_EVENTS,
  VAULT_EVENTS,
} from '../../../src/store/transactions/event-rows.ts';
import { ownersOf, platformOf } from '../ingest/world-events.ts';
import { confirmed } from '../localnet/confirmed-transactions.ts';

export const writeLendingEvents = (db: Database, events: readonly CausedLendingEvent[]) =>
  writeEvents(db, LENDING_EVENTS, events);

export const writeVaultEvents = (db: Database, events: readonly CausedVaultEvent[]) =>
  writeEvents(db, VAULT_EVENTS, events);

export const writeFarmEvents = (db: Database, events: readonly FarmEvent[]) =>
  writeEvents(db, FARM_EVENTS, events);

export const writeQueueEvents = (db: Database, events: readonly QueueEvent[]) =>
  writeEvents(db, QUEUE_EVENTS, events);

/** Stores final events, as ingestion does. */
async function writeEvents<E>(db: Database, table: EventTable<E>, events: readonly E[]): Promise<void> {
  const addresses = events.flatMap((event) => table.addressesIn(event));
  const ids = await addressIds(
    db,
    addresses.filter((each) => each !== null),
  );
  const idOf = (each: Address) => ids.get(each) ?? refuse({ each }, 'each', 'an id');
  await insertEvents(db, table, events, idOf, null);
}

/** Events of some obligations on the localnet, oldest first. */
export function lendingEventsOf(localChain: WorldChain, obligations: Iterable<string>): CausedLendingEvent[] {
  const owners = ownersOf(localChain.world);
  const lookups = {
    ...platformOf(localChain.world),
    ownerOfObligation: (address: Address) => owners.get(address) ?? null,
  };
  const read = createTransactionReader(MAINNET_PROGRAMS);
  const transactions = new Map(
    [...obligations].flatMap((obligation) =>
      localChain.transactionsOf(obligation as Address).map((each) => [each.signature, each] as const),
    ),
  );
  return [...transactions.values()]
    .sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0))
    .flatMap((transaction) => read(confirmed(transaction), lookups).lendingEvents);
}
