import type { Address } from '@solana/kit';
import type { ChainTransaction } from './chain-transaction.ts';
import type { ReturnData } from './execution.ts';
import type { InstructionFailure } from './instruction-error.ts';
import type { StoredAccount } from './stored-account.ts';

/** Why a transaction failed, in the shape in which an RPC reports it. */
export type TransactionFailure =
  | string
  | { readonly InstructionError: readonly [number, InstructionFailure] }
  | { readonly DuplicateInstruction: number }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } };

/** A transaction that cannot be in a block: a bad signature, an old blockhash, a payer who cannot pay. */
export interface RefusedTransaction {
  readonly kind: 'refused';
  readonly failure: TransactionFailure;
}

/** A transaction that ran. A failed one changes nothing but the balance of its payer, and its nonce. */
export interface ProcessedTransaction {
  readonly kind: 'processed';
  /** Null when it succeeded. */
  readonly failure: TransactionFailure | null;
  /** Accounts to commit. An account without lamports no longer exists. */
  readonly changes: ReadonlyMap<Address, StoredAccount>;
  /** Record of the transaction on the chain. */
  readonly record: Omit<ChainTransaction, 'slot' | 'blockTime' | 'error'>;
  /** Return data of the last program that ran; null when it returned nothing. */
  readonly returnData: ReturnData | null;
  /** Bytes of all loaded accounts. */
  readonly loadedAccountsDataSize: number;
}

export type TransactionOutcome = RefusedTransaction | ProcessedTransaction;
