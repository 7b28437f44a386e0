import type { Address } from '@solana/kit';
import { addressIds } from '../history/address-ids.ts';
import { fenced } from '../leases/fencing-token.ts';
import { refuse } from '../rows.ts';
import type { Database, Sql, Tables } from '../sql.ts';
import { type BlockOrder, placesOf, setBlockPositions, slotsToOrder } from './block-order.ts';
import { type IngestCursor, moveCursor } from './cursors.ts';
import { EVENT_TABLES } from './event-rows.ts';
import { type MissingTransaction, writeMissing } from './missing.ts';
import {
  addressesIn,
  type EventfulTransaction,
  fillInOrigins,
  fillInOwners,
  hasEvents,
  lockTransactions,
  writeEvents,
  writeProblems,
} from './write-events.ts';

/** The unfinalized end of an address's list. It replaces the tail written before. */
export interface Tail {
  readonly transactions: readonly EventfulTransaction[];
  /** Slots up to this one are final. */
  readonly finalizedSlot: bigint;
}

/** A page of an address's transactions and the resulting cursor, written in one transaction. */
export interface PageWrite {
  readonly address: Address;
  /** Fencing token of the recorder; null when written on behalf of a request, which any process may serve. */
  readonly fence: bigint | null;
  readonly from: IngestCursor;
  readonly to: Omit<IngestCursor, 'version'>;
  readonly final: readonly EventfulTransaction[];
  readonly tail: Tail | null;
  /** Listed by the node but not returned. */
  readonly missing: readonly MissingTransaction[];
  /** Signatures that were missing before and were returned now. */
  readonly found: readonly string[];
  readonly orders: ReadonlyMap<bigint, BlockOrder>;
}

export type PageOutcome =
  | { readonly kind: 'written' }
  /** Another process moved the cursor first; read it again. */
  | { readonly kind: 'overtaken' }
  /** Nothing was written: the order of transactions within these slots must be read first. */
  | { readonly kind: 'orderNeeded'; readonly slots: readonly bigint[] };

/** A tail that is not read again is deleted about a minute after its slots became final. */
const STALE_SLOTS = 150n;

/** @throws NOT_LEADER */
export async function writePage(db: Database, page: PageWrite): Promise<PageOutcome> {
  const arriving = [...page.final, ...(page.tail?.transactions ?? [])];
  const ids = await addressIds(db, [page.address, ...addressesIn(arriving)]);
  const idOf = (address: Address) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  const work = async (sql: Tables): Promise<PageOutcome> => {
    await lockTransactions(sql);
    const { unordered } = await slotsToOrder(sql, arriving.filter(hasEvents), page.orders);
    if (unordered.length > 0) return { kind: 'orderNeeded', slots: unordered };
    const addressId = idOf(page.address);
    if (!(await moveCursor(sql, addressId, page.from, page.to))) return { kind: 'overtaken' };
    if (page.tail !== null) await deleteTails(sql, addressId, page.tail.finalizedSlot);
    await writeEvents(sql, page.final, idOf, null);
    if (page.tail !== null) await writeEvents(sql, page.tail.transactions, idOf, addressId);
    await fillInOwners(sql, arriving, idOf);
    await fillInOrigins(sql, arriving, idOf);
    await setBlockPositions(sql, placesOf(page.orders));
    await writeProblems(sql, page.final);
    await writeMissing(sql, addressId, page);
    return { kind: 'written' };
  };
  return page.fence === null ? await db.transaction(work) : await fenced(db, page.fence, work);
}

async function deleteTails(sql: Sql, addressId: number, finalizedSlot: bigint): Promise<void> {
  for (const table of EVENT_TABLES) {
    await sql.run(
      `DELETE FROM ${table} WHERE tail_of = $1::integer OR (tail_of IS NOT NULL AND slot <= $2::bigint)`,
      [addressId, finalizedSlot - STALE_SLOTS],
    );
  }
}
