import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import { type Address, getBase58Decoder } from '@solana/kit';
import type {
  ListedTransaction,
  ListOptions,
  ReadOptions,
} from '../../../src/chain/transactions/transactions.ts';
import type { Reader } from '../../../src/ingest/reader.ts';
import type { IngestSource } from '../../../src/ingest/source.ts';
import type { Database } from '../../../src/store/sql.ts';

const NEWEST_SLOT = 1_000_000_000;

/** An address made of a number. */
export function addressNumbered(number: number): Address {
  const bytes = new Uint8Array(32).fill(9);
  new DataView(bytes.buffer).setUint32(0, number);
  return getBase58Decoder().decode(bytes) as Address;
}

/**
 * A chain in memory on which addresses have any number of transactions, even endlessly many. Every RPC call is
 * counted; calls pass through a gate that a test can close.
 */
export class EndlessChain implements IngestSource {
  readonly db: Database;
  readonly concurrency = 8;
  readonly wholeChain = true;
  /** Number of transactions; 0 for an address that is not in it. */
  readonly lengths = new Map<Address, number>();
  /** Calls by caller; those of the follower have the empty name. */
  readonly calls = new Map<string, number>();
  /** Number of reads of each transaction. */
  readonly reads = new Map<string, number>();
  readonly #actions = new Map<number, () => void>();
  #gate: { readonly promise: Promise<void>; readonly open: () => void } | null = null;

  constructor(db: Database) {
    this.db = db;
  }

  get totalCalls(): number {
    return [...this.calls.values()].reduce((sum, each) => sum + each, 0);
  }

  callsExcept(caller: string): number {
    return this.totalCalls - (this.calls.get(caller) ?? 0);
  }

  /** Does something during the call that is that many calls from now, so that nothing happens in between. */
  after(calls: number, action: () => void): void {
    this.#actions.set(this.totalCalls + calls, action);
  }

  close(): void {
    let open = () => {};
    const promise = new Promise<void>((resolve) => {
      open = resolve;
    });
    this.#gate = { promise, open };
  }

  open(): void {
    this.#gate?.open();
    this.#gate = null;
  }

  readonly turn = async ({ caller }: Reader, signal: AbortSignal): Promise<void> => {
    this.calls.set(caller, (this.calls.get(caller) ?? 0) + 1);
    this.#actions.get(this.totalCalls)?.();
    await this.#gate?.promise;
    // Lets other readers run, as a real call does.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  };

  readonly cached = () => undefined;

  readonly decode: IngestSource['decode'] = (transactions) =>
    Promise.resolve(
      transactions.map(({ signature, slot }) => ({
        signature,
        slot,
        vaultEvents: [],
        lendingEvents: [],
        farmEvents: [],
        allocationEvents: [],
        queueEvents: [],
        problems: [],
      })),
    );

  readonly transactions: IngestSource['transactions'] = {
    finalizedSlot: () => Promise.resolve(BigInt(NEWEST_SLOT)),
    firstAvailableSlot: () => Promise.resolve(0n),
    blockSignatures: () => Promise.resolve(null),
    signaturesOf: (address, options) => Promise.resolve(this.#list(address, options)),
    readTransactions: async (signatures, options) => await this.#read(signatures, options),
  };

  /** The n-th newest transaction, from 0, is `<address>/<n>`. */
  #list(address: Address, { before, until, limit }: ListOptions): ListedTransaction[] {
    const placeOf = (signature: string) => Number(signature.split('/')[1]);
    const start = before === undefined ? 0 : placeOf(before) + 1;
    const end = until === undefined ? (this.lengths.get(address) ?? 0) : placeOf(until);
    const count = Math.max(0, Math.min(limit, end - start));
    return Array.from({ length: count }, (_, i) => ({
      signature: `${address}/${start + i}`,
      slot: BigInt(NEWEST_SLOT - start - i),
      failed: false,
    }));
  }

  async #read(signatures: readonly string[], { turn, signal }: ReadOptions) {
    const found: { signature: string; transaction: ConfirmedTransaction }[] = [];
    for (const signature of signatures) {
      await turn?.(signal);
      this.reads.set(signature, (this.reads.get(signature) ?? 0) + 1);
      const slot = BigInt(NEWEST_SLOT - Number(signature.split('/')[1]));
      found.push({ signature, transaction: { ...EMPTY, signature, slot } });
    }
    return found;
  }
}

const EMPTY: Omit<ConfirmedTransaction, 'signature' | 'slot'> = {
  blockTime: 1_700_000_000,
  failed: false,
  accountKeys: [],
  instructions: [],
  innerInstructions: [],
  preTokenBalances: [],
  postTokenBalances: [],
  preLamports: [],
  postLamports: [],
};
