import type { Address } from '@solana/kit';

/** A token balance in a transaction's metadata. */
export interface ChainTokenBalance {
  readonly accountIndex: number;
  readonly mint: Address;
  readonly owner: Address;
  readonly programId: Address;
  /** Base units. */
  readonly amount: bigint;
  readonly decimals: number;
}

/** An inner instruction, in the compiled form of the transaction. */
export interface ChainInnerInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  readonly data: Uint8Array;
  readonly stackHeight: number;
}

/** An executed transaction with its metadata. */
export interface ChainTransaction {
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
  readonly preTokenBalances: readonly ChainTokenBalance[];
  readonly postTokenBalances: readonly ChainTokenBalance[];
  readonly inner: readonly {
    readonly index: number;
    readonly instructions: readonly ChainInnerInstruction[];
  }[];
  readonly logs: readonly string[];
  /** Null when it succeeded; otherwise the error in the JSON shape of the RPC. */
  readonly error: unknown;
}
