import type { Address } from '@solana/kit';

/** One confirmed transaction, independent of the RPC encoding. */
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
  /** 1 for a top-level instruction, one more for each level of invocation; null when the node did not report it. */
  readonly stackHeight: number | null;
}

/** Instructions invoked during one top-level instruction, in execution order. */
export interface InnerInstructions {
  /** Index of the top-level instruction. */
  readonly index: number;
  readonly instructions: readonly ConfirmedInstruction[];
}

export interface TokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  /** Null in old records, which do not contain it. */
  readonly owner: Address | null;
  /** Base units. */
  readonly amount: bigint;
}
