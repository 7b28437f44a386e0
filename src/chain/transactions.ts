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
import type { ConfirmedTransaction } from '../domain/transactions/confirmed-transaction.ts';
import { isSluiceError } from '../errors/sluice-error.ts';
import { confirmedTransaction } from './confirmed-transaction.ts';

export type TransactionRpc = Rpc<
  GetBlockApi & GetFirstAvailableBlockApi & GetSignaturesForAddressApi & GetSlotApi & GetTransactionApi
>;

/** One entry of the list of an address's transactions. */
export interface ListedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  readonly failed: boolean;
}

export interface ListOptions {
  /** Older than this transaction; left out: from the newest on. */
  readonly before?: string | undefined;
  /** Newer than this transaction; one that the node does not know stops nothing. */
  readonly until?: string | undefined;
  /** Up to 1000. */
  readonly limit: number;
  /** The node must have reached this slot, so that nothing before it is missing for being late. */
  readonly minSlot?: bigint | undefined;
  readonly signal: AbortSignal;
}

/** Why a transaction that was listed is not there. */
export type AbsenceReason = 'notFound' | 'noOutcome' | 'noTime' | 'unknownVersion';

/** A transaction, or that the node does not have it. Nothing is made up for one that is missing. */
export type TransactionRead =
  | { readonly signature: string; readonly transaction: ConfirmedTransaction }
  | { readonly signature: string; readonly absent: AbsenceReason };

export interface ReadOptions {
  readonly concurrency: number;
  /** Waited for before each call, to keep to a rate. */
  readonly turn?: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly signal: AbortSignal;
}

/** What a node says to a transaction of a version that the caller does not know. */
const UNSUPPORTED_VERSION = -32015;
/** Slots without a block, and blocks that the node does not keep. */
const NO_BLOCK = new Set([-32001, -32004, -32007, -32009, -32011, -32014]);
const NO_METHOD = -32601;

/** Past transactions, read at `confirmed`. */
export class ChainTransactions {
  readonly #rpc: TransactionRpc;
  /** No endpoint gives blocks: asking each time would only cost calls. */
  #withoutBlocks = false;

  constructor(rpc: TransactionRpc) {
    this.#rpc = rpc;
  }

  /** The transactions that name an address, newest first. */
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

  /** The transactions in the order asked for, a few at a time. */
  async readTransactions(
    signatures: readonly string[],
    { concurrency, turn, signal }: ReadOptions,
  ): Promise<TransactionRead[]> {
    const reads: TransactionRead[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let place = next++; ; place = next++) {
        const signature = signatures[place];
        if (signature === undefined) return;
        await turn?.(signal);
        reads[place] = await this.#read(signature, signal);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, signatures.length) }, work));
    return reads;
  }

  /** Up to this slot nothing is given up any more. */
  async finalizedSlot(signal: AbortSignal): Promise<bigint> {
    return await this.#rpc.getSlot({ commitment: 'finalized' }).send({ abortSignal: signal });
  }

  /** The oldest slot of which the node still keeps transactions. */
  async firstAvailableSlot(signal: AbortSignal): Promise<bigint> {
    return await this.#rpc.getFirstAvailableBlock().send({ abortSignal: signal });
  }

  /** The transactions of a block in the order in which they ran; null when the node does not have it. */
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
      if (!isSluiceError(error, 'RPC_REFUSED')) throw error;
      this.#withoutBlocks = error.context.rpcCode === NO_METHOD;
      if (this.#withoutBlocks || NO_BLOCK.has(error.context.rpcCode)) return null;
      throw error;
    }
  }

  async #read(signature: string, signal: AbortSignal): Promise<TransactionRead> {
    try {
      const answer = await this.#rpc
        .getTransaction(signature as Signature, {
          commitment: 'confirmed',
          encoding: 'json',
          maxSupportedTransactionVersion: 0,
        })
        .send({ abortSignal: signal });
      if (answer === null) return { signature, absent: 'notFound' };
      const transaction = confirmedTransaction(signature, answer);
      return typeof transaction === 'string'
        ? { signature, absent: transaction }
        : { signature, transaction };
    } catch (error) {
      if (isSluiceError(error, 'RPC_REFUSED') && error.context.rpcCode === UNSUPPORTED_VERSION) {
        return { signature, absent: 'unknownVersion' };
      }
      throw error;
    }
  }
}
