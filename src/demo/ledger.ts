import type { Address } from '@solana/kit';

/** An account of the embedded chain. The bytes are replaced, never changed in place. */
export interface LedgerAccount {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly executable: boolean;
}

/** A token balance beside a transaction, as RPC metadata lists it. */
export interface LedgerTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** An instruction that a program made while another ran, in the compiled form of the transaction. */
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
  /** The wire form: signatures and message. */
  readonly wire: Uint8Array;
  /** Every account it names, the loaded ones included. */
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
  /** Null when it succeeded; otherwise the error in the RPC's own JSON shape. */
  readonly error: unknown;
}

/** What happened in one slot. */
export interface LedgerBlock {
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly blockHeight: bigint;
  /** In the order in which they ran. */
  readonly transactions: readonly LedgerTransaction[];
}

/** What the RPC server serves: the state of a chain at its newest slot, its past transactions, and its changes. */
export interface Ledger {
  readonly slot: bigint;
  readonly blockHeight: bigint;
  /** Unix seconds of a slot, null when the slot lies in the future or before the chain began. */
  blockTime(slot: bigint): number | null;
  blockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: bigint };
  isBlockhashValid(blockhash: string): boolean;
  account(address: Address): LedgerAccount | undefined;
  /** All accounts that a program owns. */
  programAccounts(program: Address): Iterable<readonly [Address, LedgerAccount]>;
  /** Newest first. */
  transactionsOf(address: Address): readonly LedgerTransaction[];
  transaction(signature: string): LedgerTransaction | undefined;
  /** Of a slot that has a time. */
  block(slot: bigint): LedgerBlock;
  /** Called after each new slot with the accounts that it changed. Returns the way to stop. */
  onSlot(listener: (slot: bigint, changed: readonly Address[]) => void): () => void;
}
