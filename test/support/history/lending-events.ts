import type { Address } from '@solana/kit';
import type { DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import type { CausedLendingEvent, FarmEvent } from '../../../src/domain/transactions/events.ts';
import { createTransactionReader } from '../../../src/domain/transactions/read-transaction.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
import { refuse } from '../../../src/store/history/rows.ts';
import { subjectIds } from '../../../src/store/history/subjects.ts';
import type { Database } from '../../../src/store/sql.ts';
import {
  type EventTable,
  FARM_EVENTS,
  insertEvents,
  LENDING_EVENTS,
} from '../../../src/store/transactions/event-rows.ts';
import { ownersOf, platformOf } from '../ingest/world-events.ts';
import { confirmed } from '../ledger/confirmed-transactions.ts';

export const writeLendingEvents = (db: Database, events: readonly CausedLendingEvent[]) =>
  writeEvents(db, LENDING_EVENTS, events);

export const writeFarmEvents = (db: Database, events: readonly FarmEvent[]) =>
  writeEvents(db, FARM_EVENTS, events);

/** Stores final events, as ingestion does. */
async function writeEvents<E>(db: Database, table: EventTable<E>, events: readonly E[]): Promise<void> {
  const addresses = events.flatMap((event) => table.addressesIn(event));
  const ids = await subjectIds(
    db,
    addresses.filter((each) => each !== null),
  );
  const idOf = (each: Address) => ids.get(each) ?? refuse({ each }, 'each', 'an id');
  await insertEvents(db, table, events, idOf, null);
}

/** Events of some obligations on the embedded chain, oldest first. */
export function lendingEventsOf(ledger: DemoLedger, obligations: Iterable<string>): CausedLendingEvent[] {
  const owners = ownersOf(ledger.world);
  const lookups = {
    ...platformOf(ledger.world),
    ownerOfObligation: (address: Address) => owners.get(address) ?? null,
  };
  const read = createTransactionReader(MAINNET_PROGRAMS);
  const transactions = new Map(
    [...obligations].flatMap((obligation) =>
      ledger.transactionsOf(obligation as Address).map((each) => [each.signature, each] as const),
    ),
  );
  return [...transactions.values()]
    .sort((a, b) => (a.slot < b.slot ? -1 : a.slot > b.slot ? 1 : 0))
    .flatMap((transaction) => read(confirmed(transaction), lookups).lendingEvents);
}
