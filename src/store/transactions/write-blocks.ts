import type { Address } from '@solana/kit';
import { addressIds } from '../history/address-ids.ts';
import { fenced } from '../leases/fencing-token.ts';
import { refuse } from '../rows.ts';
import type { Database } from '../sql.ts';
import { type BlockOrder, placesOf, setBlockPositions, slotsToOrder } from './block-order.ts';
import { addRange, type SlotRange } from './slot-ranges.ts';
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

/** Final transactions that belong to no address's list, and the slots that they complete, written in one transaction. */
export interface BlocksWrite {
  /** Fencing token of the recorder. */
  readonly fence: bigint;
  /** See `scopeOf`. */
  readonly scope: string;
  readonly transactions: readonly EventfulTransaction[];
  /** Slots of which nothing more is to come; none while a part of them is still to be written. */
  readonly covered: readonly SlotRange[];
  readonly orders: ReadonlyMap<bigint, BlockOrder>;
}

export type BlocksOutcome =
  | { readonly kind: 'written' }
  /** Nothing was written: the order of transactions within these slots must be read first. */
  | { readonly kind: 'orderNeeded'; readonly slots: readonly bigint[] };

/** @throws NOT_LEADER */
export async function writeBlocks(db: Database, write: BlocksWrite): Promise<BlocksOutcome> {
  const { fence, scope, transactions, covered, orders } = write;
  const ids = await addressIds(db, addressesIn(transactions));
  const idOf = (address: Address) => ids.get(address) ?? refuse({ address }, 'address', 'a known subject');
  return await fenced(db, fence, async (sql) => {
    await lockTransactions(sql);
    const { unordered, places } = await slotsToOrder(sql, transactions.filter(hasEvents), orders);
    if (unordered.length > 0) return { kind: 'orderNeeded', slots: unordered };
    await writeEvents(sql, transactions, idOf, null);
    await fillInOwners(sql, transactions, idOf);
    await fillInOrigins(sql, transactions, idOf);
    await setBlockPositions(sql, [...placesOf(orders), ...places]);
    await writeProblems(sql, transactions);
    for (const range of covered) await addRange(sql, scope, range);
    return { kind: 'written' };
  });
}
