import type { ConfirmedTransaction } from '@sluice/protocol/transactions/confirmed-transaction';
import type {
  Address,
  GetBlockApi,
  GetFirstAvailableBlockApi,
  GetSignaturesForAddressApi,
  GetSlotApi,
  GetTransactionApi,
  Rpc,
  Signature,
} from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { confirmedTransaction } from './confirmed-transaction.ts';

export type TransactionRpc = Rpc<
  GetBlockApi & GetFirstAvailableBlockApi & GetSignaturesForAddressApi & GetSlotApi & GetTransactionApi
>;

/** One entry of getSignaturesForAddress. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly failed: boolean;
}

export interface ListOptions {
  /** Only transactions older than this one. Absent: from the newest. */
  readonly before?: string | undefined;
  /** Only transactions newer than this one. Ignored when the node does not know it. */
  readonly until?: string | undefined;
  /** Up to 1000. */
  readonly limit: number;
  /** The node must have reached this slot, so that the list is complete up to it. */
  readonly minSlot?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** Why a listed transaction is missing. */
export type AbsenceReason = 'notFound' | 'noOutcome' | 'noTime' | 'unknownVersion';

/** A transaction, or why the node did not return it. */
export type TransactionRead =
  | { readonly signature: string; readonly transaction: ConfirmedTransaction }
  | { readonly signature: string; readonly absent: AbsenceReason };

export interface ReadOptions {
  readonly concurrency: number;
  /** Awaited before each call, to limit the rate. */
  readonly turn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** JSON-RPC error: unsupported transaction version. */
const UNSUPPORTED_VERSION = -32015;
/** JSON-RPC errors for slots without a block and for blocks that the node does not retain. */
const NO_BLOCK = new Set([-32001, -32004, -32007, -32009, -32011, -32014]);
const NO_METHOD = -32601;

/** JSON-RPC errors for slots whose block is not final yet. */
const NOT_FINAL = new Set([-32004, -32014]);

/** What a node says about the block of a slot. */
export interface BlockClaim {
  readonly isFinal: boolean;
  /** Null when it is not final, or the node does not have the block. */
  readonly blockhash: string | null;
}

/** Past transactions, read at `confirmed`. */
export class ChainTransactions {
  readonly #rpc: TransactionRpc;
  /** Set once no endpoint serves blocks, to save further calls. */
  #withoutBlocks = false;

  constructor(rpc: TransactionRpc) {
    this.#rpc = rpc;
  }

  /** The transactions that mention an address, newest first. */
  async signaturesOf(
    address: Address,
    { before, until, limit, minSlot, signal }: ListOptions,
  ): Promise<ListedTransaction[]> {
    const listed = await this.#rpc
      .getSignaturesForAddress(address, {
        commitment: 'confirmed',
        limit,
        ...(before === undefined ? {} : { before: before as Signature }),
        ...(until === undefined ? {} : { until: until as Signature }),
        ...(minSlot === undefined ? {} : { minContextSlot: minSlot }),
      })
      .send({ abortSignal: signal });
    return listed.map(({ signature, slot, err }) => ({
      signature,
      slot: BigInt(slot),
      failed: err !== null && err !== undefined,
    }));
  }

  /** Reads transactions with limited concurrency. The results are in the order of the request. */
  async readTransactions(signatures: readonly string[], options: ReadOptions): Promise<TransactionRead[]> {
    return await eachInTurn(signatures, options, (signature) => this.#read(signature, options.signal));
  }

  /** Transactions as the node returns them, in the order of the request; null for one that it does not have. */
  async rawTransactions(
    signatures: readonly string[],
    options: ReadOptions,
  ): Promise<(Readonly<Record<string, unknown>> | null)[]> {
    return await eachInTurn(signatures, options, async (signature) => {
      const answer = await this.#get(signature, options.signal);
      return answer === null ? null : { ...answer };
    });
  }

  /** The newest finalized slot. */
  async finalizedSlot(signal: AbortSignal): Promise<bigint> {
    return await this.#rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal: signal });
  }

  /** The oldest slot whose transactions the node retains. */
  async firstAvailableSlot(signal: AbortSignal): Promise<bigint> {
    return await this.#rpc.getFirstAvailableBlock().send({ abortSignal: signal });
  }

  /** The transactions of a block in execution order; null when the node does not have the block. */
  async blockSignatures(slot: bigint, signal: AbortSignal): Promise<readonly string[] | null> {
    if (this.#withoutBlocks) return null;
    try {
      const block = await this.#rpc
        .getBlock(slot, {
          commitment: 'confirmed',
          maxSupportedTransactionVersion: 0,
          rewards: false,
          transactionDetails: 'signatures',
        })
        .send({ abortSignal: signal });
      return block === null ? null : block.signatures;
    } catch (error) {
      if (!isCodedError(error, 'RPC_REFUSED')) throw error;
      this.#withoutBlocks = error.context.rpcCode === NO_METHOD;
      if (this.#withoutBlocks || NO_BLOCK.has(error.context.rpcCode)) return null;
      throw error;
    }
  }

  /** Whether the block of a slot is final, and its hash. */
  async finalBlock(slot: bigint, signal: AbortSignal): Promise<BlockClaim> {
    const unknown = async () => ({ isFinal: (await this.finalizedSlot(signal)) >= slot, blockhash: null });
    if (this.#withoutBlocks) return await unknown();
    try {
      const block = await this.#rpc
        .getBlock(slot, {
          commitment: 'finalized',
          maxSupportedTransactionVersion: 0,
          rewards: false,
          transactionDetails: 'none',
        })
        .send({ abortSignal: signal });
      return block === null ? await unknown() : { isFinal: true, blockhash: block.blockhash };
    } catch (error) {
      if (!isCodedError(error, 'RPC_REFUSED')) throw error;
      const { rpcCode } = error.context;
      if (NOT_FINAL.has(rpcCode)) return { isFinal: false, blockhash: null };
      this.#withoutBlocks = rpcCode === NO_METHOD;
      if (this.#withoutBlocks || NO_BLOCK.has(rpcCode)) return await unknown();
      throw error;
    }
  }

  async #read(signature: string, signal: AbortSignal): Promise<TransactionRead> {
    try {
      const answer = await this.#get(signature, signal);
      if (answer === null) return { signature, absent: 'notFound' };
      const transaction = confirmedTransaction(signature, answer);
      return typeof transaction === 'string'
        ? { signature, absent: transaction }
        : { signature, transaction };
    } catch (error) {
      if (isCodedError(error, 'RPC_REFUSED') && error.context.rpcCode === UNSUPPORTED_VERSION) {
        return { signature, absent: 'unknownVersion' };
      }
      throw error;
    }
  }

  #get(signature: string, signal: AbortSignal) {
    return this.#rpc
      .getTransaction(signature as Signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send({ abortSignal: signal });
  }
}

async function eachInTurn<T>(
  signatures: readonly string[],
  { concurrency, turn, signal }: ReadOptions,
  read: (signature: string) => Promise<T>,
): Promise<T[]> {
  const reads: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let place = next++; ; place = next++) {
      const signature = signatures[place];
      if (signature === undefined) return;
      await turn?.(signal);
      reads[place] = await read(signature);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, signatures.length) }, work));
  return reads;
}
