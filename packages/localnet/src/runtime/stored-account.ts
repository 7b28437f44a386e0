import type { Address } from '@solana/kit';

/** An account of the chain. Its bytes are replaced, never modified in place. */
export interface StoredAccount {
  readonly owner: Address;
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly executable: boolean;
}
