import type { Address } from '@solana/kit';
import type { TransactionOutcome } from './runtime/outcome.ts';

/** An account of the embedded chain. Its bytes are replaced, never modified in place. */
export interface LedgerAccount {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** A token balance in a transaction's metadata. */
export interface LedgerTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** An inner instruction, in the compiled form of the transaction. */
export interface LedgerInnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

export interface LedgerTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly blockTime: number;
  /** Wire format: signatures and message. */
  readonly wire: Uint8Array;
  /** Every account it names, including those loaded from lookup tables. */
  readonly addresses: readonly Address[];
  readonly loadedWritable: readonly Address[];
  readonly loadedReadonly: readonly Address[];
  readonly feeLamports: bigint;
  readonly computeUnits: number;
  readonly preBalances: readonly bigint[];
  readonly postBalances: readonly bigint[];
  readonly preTokenBalances: readonly LedgerTokenBalance[];
  readonly postTokenBalances: readonly LedgerTokenBalance[];
  readonly inner: readonly {
    readonly index: number;
    readonly instructions: readonly LedgerInnerInstruction[];
  }[];
  readonly logs: readonly string[];
  /** Null when it succeeded; otherwise the error in the JSON shape of the RPC. */
  readonly error: unknown;
}

/** The contents of one slot. */
export interface LedgerBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly blockHeight: bigint;
  /** In execution order. */
  readonly transactions: readonly LedgerTransaction[];
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

/** What the RPC server serves: the state at the newest slot, past transactions, and changes. */
export interface Ledger {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** Null on a chain without one. */
  readonly faucet: Faucet | null;
  /** Unix seconds of a slot; null when the slot is in the future or before genesis. */
  blockTime(slot: bigint): number | null;
  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
  isBlockhashValid(blockhash: string): boolean;
  account(address: Address): LedgerAccount | undefined;
  /** All accounts owned by a program. */
  programAccounts(program: Address): Iterable<readonly [Address, LedgerAccount]>;
  /** Newest first. */
  transactionsOf(address: Address): readonly LedgerTransaction[];
  transaction(signature: string): LedgerTransaction | undefined;
  /** The slot must have a block time. */
  block(slot: bigint): LedgerBlock;
  /** Called after each new slot with the accounts it changed. Returns a function that unsubscribes. */
  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void;
  /** Called after each executed transaction with the accounts it changed. Returns a function that unsubscribes. */
  onTransaction(listener: TransactionListener): () => void;
  /** Runs a transaction on the newest state without effect. */
  simulate(wire: Uint8Array, options: SimulationOptions): TransactionOutcome;
  /** Runs a transaction and, unless it is refused, commits it in the newest slot. Throws a ChainStoppedError. */
  send(wire: Uint8Array): TransactionOutcome;
}

export type TransactionListener = (transaction: LedgerTransaction, changed: readonly Address[]) => void;
