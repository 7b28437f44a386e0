import type {
  Address,
  Base64EncodedWireTransaction,
  Commitment,
  GetBlockHeightApi,
  GetSignatureStatusesApi,
  GetTransactionApi,
  IsBlockhashValidApi,
  Rpc,
  SendTransactionApi,
  Signature,
} from '@solana/kit';
import { isCodedError } from '../../errors/sluice-error.ts';
import { BlockhashValidity } from './blockhash-validity.ts';
import { type LandedBytes, readLanded } from './landed-transaction.ts';
import { SignatureStatuses } from './signature-statuses.ts';

export type RelayRpc = Rpc<
  GetBlockHeightApi & GetSignatureStatusesApi & GetTransactionApi & IsBlockhashValidApi & SendTransactionApi
>;

/** Why an RPC did not take a transaction: its simulation failed. */
export interface PreflightFailure {
  /** The error as the RPC returns it. */
  readonly error: unknown;
  readonly logs: readonly string[];
}

/** Trace of a failed transaction on the chain. */
export interface FailureTrace {
  /** Empty when the node does not retain them. */
  readonly logs: readonly string[];
  /** The program of each instruction. */
  readonly programs: readonly Address[];
}

/** JSON-RPC error: the simulation before sending failed. */
const PREFLIGHT_FAILED = -32002;

/** Sends signed transactions to the RPC and reads their status. */
export class TransactionRelay {
  readonly statuses: SignatureStatuses;
  readonly blockhashes: BlockhashValidity;
  readonly #rpc: RelayRpc;
  readonly #commitment: Commitment;
  readonly #stopping = new AbortController();

  constructor(rpc: RelayRpc, commitment: Commitment) {
    this.#rpc = rpc;
    this.#commitment = commitment;
    this.statuses = new SignatureStatuses(rpc, this.#stopping.signal);
    this.blockhashes = new BlockhashValidity(rpc, commitment, this.#stopping.signal);
  }

  /** Aborted when the chain stops. */
  get signal(): AbortSignal {
    return this.#stopping.signal;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Sends a transaction; returns why not when its simulation fails. A transaction that has landed counts as sent. */
  async send(base64: string, preflight: boolean): Promise<PreflightFailure | null> {
    try {
      await this.#rpc
        .sendTransaction(base64 as Base64EncodedWireTransaction, {
          encoding: 'base64',
          preflightCommitment: this.#commitment,
          skipPreflight: !preflight,
          // The gateway resends, and stops when the transaction has landed.
          maxRetries: 0n,
        })
        .send({ abortSignal: this.signal });
      return null;
    } catch (error) {
      if (!isCodedError(error, 'RPC_REFUSED') || error.context.rpcCode !== PREFLIGHT_FAILED) throw error;
      const failure = preflightFailure(error.context.rpcData);
      if (failure === null) throw error;
      return failure.error === 'AlreadyProcessed' ? null : failure;
    }
  }

  /** A transaction that is in a confirmed block; null when the node does not have it. */
  async landed(signature: string, signal: AbortSignal): Promise<LandedBytes | null> {
    return await readLanded(this.#rpc, signature, signal);
  }

  /** Logs and programs of a transaction that failed in a block; null when the node does not have it. */
  async failureTrace(signature: string, signal: AbortSignal): Promise<FailureTrace | null> {
    const confirmed = await this.#rpc
      .getTransaction(signature as Signature, {
        commitment: 'confirmed',
        encoding: 'json',
        maxSupportedTransactionVersion: 0,
      })
      .send({ abortSignal: signal });
    if (confirmed === null) return null;
    const { accountKeys, instructions } = confirmed.transaction.message;
    return {
      logs: confirmed.meta?.logMessages ?? [],
      programs: instructions.flatMap(({ programIdIndex }) => accountKeys[programIdIndex] ?? []),
    };
  }
}

/** Null when the RPC does not say why. */
function preflightFailure(data: unknown): PreflightFailure | null {
  if (typeof data !== 'object' || data === null || !('err' in data) || data.err === null) return null;
  const logs = 'logs' in data && Array.isArray(data.logs) ? data.logs : [];
  return { error: data.err, logs: logs.filter((line) => typeof line === 'string') };
}
