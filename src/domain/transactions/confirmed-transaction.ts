import type { Address } from '@solana/kit';

/** One confirmed transaction, free of the form in which an RPC node told it. */
export interface ConfirmedTransaction {
  readonly signature: string;
  readonly slot: bigint;
  /** Unix seconds. */
  readonly blockTime: number;
  /** A failed transaction paid its fee and changed nothing else. */
  readonly failed: boolean;
  /** In index order: static, then loaded writable, then loaded read-only. */
  readonly accountKeys: readonly Address[];
  readonly instructions: readonly ConfirmedInstruction[];
  readonly innerInstructions: readonly InnerInstructions[];
  readonly preTokenBalances: readonly TokenBalance[];
  readonly postTokenBalances: readonly TokenBalance[];
  /** By account index. */
  readonly preLamports: readonly bigint[];
  readonly postLamports: readonly bigint[];
}

export interface ConfirmedInstruction {
  readonly programAddress: Address;
  readonly accounts: readonly Address[];
  readonly data: Uint8Array;
  /** 1 for an instruction of the transaction itself, one more for each call inside; null where the node did not tell. */
  readonly stackHeight: number | null;
}

/** What programs called while one instruction of the transaction ran, in the order of the calls. */
export interface InnerInstructions {
  /** Place of the outer instruction. */
  readonly index: number;
  readonly instructions: readonly ConfirmedInstruction[];
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  /** Null in old records, which did not tell it. */
  readonly owner: Address | null;
  /** Base units. */
  readonly amount: bigint;
}
