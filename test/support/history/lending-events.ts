import type { Address } from '@solana/kit';
import type { DemoLedger } from '../../../src/demo/world/demo-ledger.ts';
import type { CausedLendingEvent } from '../../../src/domain/transactions/events.ts';
import { createTransactionReader } from '../../../src/domain/transactions/read-transaction.ts';
import { MAINNET_PROGRAMS } from '../../../src/programs/program-ids.ts';
import { refuse } from '../../../src/store/history/rows.ts';
import { subjectIds } from '../../../src/store/history/subjects.ts';
import type { Database } from '../../../src/store/sql.ts';
import { insertEvents, LENDING_EVENTS } from '../../../src/store/transactions/event-rows.ts';
import { ownersOf, platformOf } from '../ingest/world-events.ts';
import { confirmed } from '../ledger/confirmed-transactions.ts';

/** Stores final events, as ingestion does. */
export async function writeLendingEvents(db: Database, events: readonly CausedLendingEvent[]): Promise<void> {
  const addresses = events.flatMap((event) => LENDING_EVENTS.addressesIn(event));
  const ids = await subjectIds(
    db,
    addresses.filter((each) => each !== null),
  );
  const idOf = (each: Address) => ids.get(each) ?? refuse({ each }, 'each', 'an id');
  await insertEvents(db, LENDING_EVENTS, events, idOf, null);
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
