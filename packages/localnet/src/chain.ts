import type { Address } from '@solana/kit';
import type { ChainTransaction } from './runtime/chain-transaction.ts';
import type { TransactionOutcome } from './runtime/outcome.ts';
import type { StoredAccount } from './runtime/stored-account.ts';

export type {
  ChainInnerInstruction,
  ChainTokenBalance,
  ChainTransaction,
} from './runtime/chain-transaction.ts';
export type { StoredAccount } from './runtime/stored-account.ts';

/** The contents of one slot. */
export interface ChainBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly blockHeight: bigint;
  /** In execution order. */
  readonly transactions: readonly ChainTransaction[];
}

/** Checks that a simulation may leave out. Sending does them all. */
export interface SimulationOptions {
  readonly verifySignatures: boolean;
  /** Runs the transaction as if it had the newest blockhash. */
  readonly replaceBlockhash: boolean;
}

/** The chain no longer takes transactions. */
export class ChainStoppedError extends Error {
  override readonly name = 'ChainStoppedError';
}

/** Makes signed transactions that give something to a wallet. */
export interface Faucet {
  airdrop(to: Address, lamports: bigint): Uint8Array;
  /** To the owner's associated account, in base units. Null when the chain has no such token. */
  tokens(owner: Address, mint: Address, amount: bigint): Uint8Array | null;
}

/** An answer of the swap API. */
export interface SwapAnswer {
  readonly status: 200 | 400;
  readonly body: object;
}

/** Quotes swaps over HTTP. */
export interface Exchange {
  /** Answers `GET /swap/v2/build`. */
  build(query: URLSearchParams): SwapAnswer;
}

/** Source of the RPC server: the state at the newest slot, past transactions, and changes. */
export interface LocalChain {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** Null on a chain without one. */
  readonly faucet: Faucet | null;
  /** Absent on a chain without one. */
  readonly exchange?: Exchange;
  /** Unix seconds of a slot; null when the slot is in the future or before genesis. */
  blockTime(slot: bigint): number | null;
  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
  isBlockhashValid(blockhash: string): boolean;
  account(address: Address): StoredAccount | undefined;
  /** All accounts owned by a program. */
  programAccounts(program: Address): Iterable<readonly [Address, StoredAccount]>;
  /** Newest first. */
  transactionsOf(address: Address): readonly ChainTransaction[];
  transaction(signature: string): ChainTransaction | undefined;
  /** The slot must have a block time. */
  block(slot: bigint): ChainBlock;
  /** Called after each new slot with the accounts it changed. Returns a function that unsubscribes. */
  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void;
  /** Called after each executed transaction with the accounts it changed. Returns a function that unsubscribes. */
  onTransaction(listener: TransactionListener): () => void;
  /** Runs a transaction on the newest state without effect. */
  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome;
  /** Runs a transaction and, unless it is refused, commits it in the newest slot. Throws a ChainStoppedError. */
  send(wire: Uint8Array): TransactionOutcome;
}

/** A chain whose slots can be streamed. */
export interface StreamableChain extends LocalChain {
  /**
   * Called when a slot is complete: nothing is added to it any more. It is called before the next one begins. Returns a
   * function that unsubscribes.
   */
  onSlotEnd(listener: (slot: bigint) => void): () => void;
}

export type TransactionListener = (transaction: ChainTransaction, changed: readonly Address[]) => void;
