import type { ChainTransactions } from '../chain/transactions.ts';
import type { ConfirmedTransaction } from '../domain/transactions/confirmed-transaction.ts';
import type { Database } from '../store/sql.ts';
import type { TransactionRef } from '../store/transactions/cursors.ts';
import type { EventfulTransaction } from '../store/transactions/write-page.ts';

/** What reading the transactions of an address needs of the world. */
export interface IngestSource {
  readonly db: Database;
  readonly transactions: Pick<
    ChainTransactions,
    'signaturesOf' | 'readTransactions' | 'finalizedSlot' | 'firstAvailableSlot' | 'blockSignatures'
  >;
  /** A transaction that was decoded a moment ago: those of a vault are listed by its shares and its farm as well. */
  remembered(mark: TransactionRef): EventfulTransaction | undefined;
  /** The events of transactions, in their order. */
  decode(
    transactions: readonly ConfirmedTransaction[],
    signal: AbortSignal,
  ): Promise<readonly EventfulTransaction[]>;
  /** Waited for before each call to the node. */
  turn(signal: AbortSignal): Promise<void>;
  /** Calls to the node at a time, for one address. */
  readonly concurrency: number;
  /**
   * The node is the chain itself, from its first block on. Otherwise what a node lists is the whole history of an
   * address only if it keeps the blocks from the first one on.
   */
  readonly wholeChain: boolean;
}
