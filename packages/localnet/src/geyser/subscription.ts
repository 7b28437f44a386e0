import { CommitmentLevel, type FilterTransactions, type ReceivedRequest, SlotStatus } from '@sluice/geyser';
import type { ChainTransaction } from '../chain.ts';
import { type AccountTest, accountTest, dataCut } from './account-filter.ts';
import { addressSet, invalidFilter, namedTests, passed } from './filter-values.ts';
import type { AccountWrite } from './slot-record.ts';

type TransactionTest = (transaction: ChainTransaction) => boolean;
type StatusTest = (status: SlotStatus) => boolean;

const LEVEL_OF_STATUS: Readonly<Partial<Record<SlotStatus, CommitmentLevel>>> = {
  [SlotStatus.PROCESSED]: CommitmentLevel.PROCESSED,
  [SlotStatus.CONFIRMED]: CommitmentLevel.CONFIRMED,
  [SlotStatus.FINALIZED]: CommitmentLevel.FINALIZED,
};

/** What a client asked for. Each method gives the names of the filters that something passes. */
export class Subscription {
  readonly commitment: CommitmentLevel;
  readonly cut: (data: Uint8Array) => Uint8Array;
  readonly #accounts: ReadonlyMap<string, AccountTest>;
  readonly #slots: ReadonlyMap<string, StatusTest>;
  readonly #transactions: ReadonlyMap<string, TransactionTest>;
  readonly #statuses: ReadonlyMap<string, TransactionTest>;
  readonly #blocksMeta: readonly string[];

  /** Throws INVALID_ARGUMENT. */
  constructor(request: ReceivedRequest) {
    if (request.blocks.size > 0 || request.entry.size > 0) {
      throw invalidFilter('this server streams neither blocks nor entries');
    }
    const commitment = request.commitment ?? CommitmentLevel.PROCESSED;
    if (!isLevel(commitment)) throw invalidFilter(`failed to create CommitmentLevel from ${commitment}`);
    this.commitment = commitment;
    this.cut = dataCut(request.accountsDataSlice);
    this.#accounts = namedTests(request.accounts, accountTest);
    this.#slots = namedTests(request.slots, ({ filterByCommitment, interslotUpdates }) => (status) => {
      const level = LEVEL_OF_STATUS[status];
      if (level === undefined) return interslotUpdates ?? false;
      return filterByCommitment !== true || level === commitment;
    });
    this.#transactions = namedTests(request.transactions, transactionTest);
    this.#statuses = namedTests(request.transactionsStatus, transactionTest);
    this.#blocksMeta = [...namedTests(request.blocksMeta, () => null).keys()];
  }

  /** Whether contents are sent as they are written, not when their slot has ended. */
  get isImmediate(): boolean {
    return this.commitment === CommitmentLevel.PROCESSED;
  }

  ofAccount(write: AccountWrite): string[] {
    return passed(this.#accounts, write);
  }

  ofTransaction(transaction: ChainTransaction): string[] {
    return passed(this.#transactions, transaction);
  }

  ofTransactionStatus(transaction: ChainTransaction): string[] {
    return passed(this.#statuses, transaction);
  }

  ofSlot(status: SlotStatus): string[] {
    return passed(this.#slots, status);
  }

  ofBlockMeta(): readonly string[] {
    return this.#blocksMeta;
  }
}

function isLevel(value: number): value is CommitmentLevel {
  return Object.values<number>(CommitmentLevel).includes(value);
}

function transactionTest(filter: FilterTransactions): TransactionTest {
  const include = addressSet(filter.accountInclude);
  const exclude = addressSet(filter.accountExclude);
  const required = addressSet(filter.accountRequired);
  return ({ signature, error, addresses }) => {
    // Nobody votes on this chain.
    if (filter.vote === true) return false;
    if (filter.failed !== null && filter.failed !== (error !== null)) return false;
    if (filter.signature !== null && filter.signature !== signature) return false;
    if (include.size > 0 && !addresses.some((address) => include.has(address))) return false;
    if (addresses.some((address) => exclude.has(address))) return false;
    return [...required].every((address) => addresses.some((each) => each === address));
  };
}
