import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import type { ChainTransactions } from '../chain/transactions/transactions.ts';
import type { Database } from '../store/sql.ts';
import type { TransactionRef } from '../store/transactions/cursors.ts';
import type { EventfulTransaction } from '../store/transactions/write-events.ts';
import type { FinalizedSlot } from './finalized-slot.ts';
import type { Reader } from './reader.ts';

/** The dependencies of reading an address's transactions. */
export interface IngestSource {
  readonly db: Database;
  readonly transactions: Pick<
    ChainTransactions,
    'signaturesOf' | 'readTransactions' | 'finalizedSlot' | 'firstAvailableSlot' | 'blockSignatures'
  >;
  /** A recently decoded transaction: the lists of a vault, its shares and its farm overlap. */
  cached(ref: TransactionRef): EventfulTransaction | undefined;
  /** The events of each transaction, in input order. */
  decode(
    transactions: readonly ConfirmedTransaction[],
    signal: AbortSignal,
  ): Promise<readonly EventfulTransaction[]>;
  /** Awaited before each RPC call. */
  turn(reader: Reader, signal: AbortSignal): Promise<void>;
  /** Concurrent RPC calls per address. */
  readonly concurrency: number;
  /**
   * The node holds the chain from its first block on. Otherwise its list is an address's full history only if
   * it has not pruned early blocks.
   */
  readonly wholeChain: boolean;
}

/** Pays for the RPC calls that are made for callers. */
export interface CallPayments {
  /** Charges a caller, even beyond its limit. */
  charge(caller: string, units: number): void;
  /** Whether the caller has been charged so much that nothing more is read for it. */
  isOverdrawn(caller: string): boolean;
}

/** Work of the gateway itself. */
export const UNPAID: CallPayments = { charge: () => undefined, isOverdrawn: () => false };

/** The source as one address uses it: its calls are charged to those who want the address. */
export interface AddressSource extends Omit<IngestSource, 'turn'> {
  turn(signal: AbortSignal): Promise<void>;
  finalizedSlot(signal: AbortSignal): Promise<bigint>;
}

/** @param onCall called before each RPC call */
export function addressSource(
  source: IngestSource,
  finalized: FinalizedSlot,
  reader: () => Reader,
  onCall: () => void,
): AddressSource {
  const turn = async (signal: AbortSignal) => {
    await source.turn(reader(), signal);
    onCall();
  };
  return { ...source, turn, finalizedSlot: (signal) => finalized.read(reader().caller, turn, signal) };
}
