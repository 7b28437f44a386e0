import type { Address } from '@solana/kit';
import type { ChainTransaction, StoredAccount } from '../chain.ts';

/** One write of an account. A closed one has no lamports. */
export interface AccountWrite {
  readonly address: Address;
  readonly account: StoredAccount;
  readonly writeVersion: bigint;
  /** Of the transaction that wrote it; null for writes of the world itself. */
  readonly signature: string | null;
}

/** The contents of a slot; complete once it has ended. */
export interface SlotRecord {
  readonly slot: bigint;
  readonly parent: bigint;
  readonly parentBlockhash: string;
  readonly blockhash: string;
  readonly blockHeight: bigint;
  readonly writes: AccountWrite[];
  readonly transactions: ChainTransaction[];
}

/** The last write of each account, in the order of writing. */
export function lastWrites(writes: readonly AccountWrite[]): AccountWrite[] {
  const last = new Map(writes.map((write) => [write.address, write]));
  return [...last.values()].sort((a, b) => (a.writeVersion < b.writeVersion ? -1 : 1));
}
