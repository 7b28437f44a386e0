import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { SignatureStatus } from '../../chain/relay/signature-statuses.ts';
import type { TransactionRelay } from '../../chain/relay/transaction-relay.ts';
import { type ProgramFailure, programFailure } from './program-failure.ts';

export type SendStatus =
  | 'PENDING'
  | 'PROCESSED'
  | 'CONFIRMED'
  | 'FINALIZED'
  | 'FAILED'
  | 'REJECTED'
  | 'EXPIRED';

/** Status of a signed transaction. */
export interface SentTransaction {
  readonly signature: string;
  readonly status: SendStatus;
  /** The slot of its block; null when no block has it. */
  readonly slot: bigint | null;
  /** Null unless it failed, was rejected or has expired. */
  readonly error: ProgramFailure | null;
  /** Log lines of one that failed or was rejected. */
  readonly logs: readonly string[];
}

/** Whether nothing but finality can follow. */
export const isSettled = ({ status }: SentTransaction): boolean =>
  status !== 'PENDING' && status !== 'PROCESSED';

/** Whether nothing can follow. */
export const isFinal = (sent: SentTransaction): boolean => isSettled(sent) && sent.status !== 'CONFIRMED';

export const pending = (signature: string): SentTransaction => ({
  signature,
  status: 'PENDING',
  slot: null,
  error: null,
  logs: [],
});

const LEVELS = { processed: 'PROCESSED', confirmed: 'CONFIRMED', finalized: 'FINALIZED' } as const;
const MAX_FAILURES = 1_000;

/** Transactions that are in a block, with the errors of those that failed. */
export class LandedTransactions {
  readonly #relay: TransactionRelay;
  readonly #ids: ProgramIds;
  readonly #failures = new LRUCache<string, SentTransaction>({ max: MAX_FAILURES });

  constructor(relay: TransactionRelay, ids: ProgramIds) {
    this.#relay = relay;
    this.#ids = ids;
  }

  /** @param programs the program of each instruction, if the transaction is at hand */
  async of(
    signature: string,
    { slot, level, error }: SignatureStatus,
    signal: AbortSignal,
    programs?: readonly Address[],
  ): Promise<SentTransaction> {
    if (error === null) return { ...pending(signature), status: LEVELS[level], slot };
    // A failure in a block that may yet be dropped settles nothing, and its logs cannot be read.
    if (level === 'processed') return pending(signature);
    const known = this.#failures.get(signature);
    if (known !== undefined) return known;
    const trace = await this.#relay.failureTrace(signature, signal);
    const logs = trace?.logs ?? [];
    const failure = programFailure(this.#ids, { error, logs }, programs ?? trace?.programs ?? []);
    const failed: SentTransaction = { signature, status: 'FAILED', slot, error: failure, logs };
    this.#failures.set(signature, failed);
    return failed;
  }
}
