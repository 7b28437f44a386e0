import type { Address } from '@solana/kit';
import type { ChainTransaction } from '../chain.ts';
import { type ExecutedTransaction, ExecutedTransactions } from './executed-transactions.ts';
import type { JournalTransactions } from './journal-transactions.ts';
import type { TransactionHead } from './lazy-transaction.ts';
import type { TransactionBody } from './transaction-body.ts';

/** The transactions of the generated past, and those executed since, as one sequence. */
export class TransactionLog {
  readonly #past: JournalTransactions;
  readonly #executed = new ExecutedTransactions();

  constructor(past: JournalTransactions) {
    this.#past = past;
  }

  /** Adds an executed transaction after everything recorded so far. */
  append(head: TransactionHead, body: TransactionBody): ChainTransaction {
    return this.#executed.append(head, body).transaction;
  }

  /** Newest first. */
  of(address: Address): readonly ChainTransaction[] {
    return [...this.#past.of(address), ...transactionsOf(this.#executed.of(address))].reverse();
  }

  bySignature(signature: string): ChainTransaction | undefined {
    return this.#executed.bySignature(signature)?.transaction ?? this.#past.bySignature(signature);
  }

  /** In execution order. */
  inSlot(slot: bigint): readonly ChainTransaction[] {
    return [...this.#past.inSlot(slot), ...transactionsOf(this.#executed.inSlot(slot))];
  }
}

const transactionsOf = (executed: readonly ExecutedTransaction[]) =>
  executed.map(({ transaction }) => transaction);
