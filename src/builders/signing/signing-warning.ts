import type { Address } from '@solana/kit';
import { shortened } from '../shortened.ts';

type SigningWarningCode =
  | 'UNKNOWN_PROGRAM_WRITES'
  | 'UNKNOWN_INSTRUCTION_WRITES'
  | 'TOKENS_TO_OTHER'
  | 'SOL_TO_OTHER'
  | 'SPENDING_ALLOWED'
  | 'AUTHORITY_CHANGED'
  | 'TOKENS_BURNED'
  | 'ACCOUNT_CLOSED_TO_OTHER'
  | 'LOOKUP_TABLE_UNREADABLE';

export interface SigningWarning {
  readonly code: SigningWarningCode;
  readonly message: string;
  /** Null when it is about the transaction as a whole. */
  readonly instructionIndex: number | null;
  /** The wallets whose accounts it is about; null for one that is not known. */
  readonly affects: readonly (Address | null)[];
}

/** A warning about one instruction. */
export type Found = Omit<SigningWarning, 'instructionIndex'>;

/** Facts about one account of a transaction. */
export interface AccountOwnership {
  /** Null when unknown. */
  readonly name: string | null;
  /** Whether it belongs to the platform or to a signer of the transaction. */
  readonly isKnown: boolean;
  /** The wallet that it is or belongs to; null for one of a program, or when unknown. */
  readonly owner: Address | null;
}

/** An account that is missing is not known. */
export type OwnershipByAddress = ReadonlyMap<Address, AccountOwnership>;

/** The signers, and the one of them that the texts address as "you". */
export interface Signers {
  readonly wallet: Address;
  readonly feePayer: Address;
  readonly all: ReadonlySet<Address>;
}

export const nameOf = (facts: OwnershipByAddress, address: Address | null): string =>
  address === null ? 'an unknown account' : (facts.get(address)?.name ?? shortened(address));

/** The wallet that an account is or belongs to; null when it is not known. */
export const ownerOf = (facts: OwnershipByAddress, address: Address | null): Address | null =>
  address === null ? null : (facts.get(address)?.owner ?? null);
