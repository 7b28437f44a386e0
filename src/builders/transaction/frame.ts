import type { Address } from '@solana/kit';
import type { BuiltInstruction } from '../built-instruction.ts';
import type { ReadAccounts } from '../read-accounts.ts';
import type { BuildWarning } from '../warnings.ts';
import { advanceNonce, checkNonceAuthority, type NonceChoice, storedNonce } from './durable-nonce.ts';
import { feePayerOf } from './fee-payer.ts';
import { memoInstruction } from './memo-instruction.ts';
import { type Tip, tipInstruction, tipWarnings } from './tip.ts';

/** Choices of the caller that do not depend on the action. */
export interface FrameOptions {
  /** Signs, and pays the fee and the rent of new accounts, instead of the wallet. */
  readonly feePayer?: Address;
  /** 1 to 566 bytes in UTF-8. */
  readonly memo?: string;
  /** Gives the transaction a lifetime without end. */
  readonly durableNonce?: NonceChoice;
  /** Paid by the fee payer. */
  readonly tip?: Tip;
}

/** Fee payer, nonce and further instructions around an action in its transactions. */
export interface TransactionFrame {
  readonly feePayer: Address;
  /** First in its transaction: the advance of a nonce. */
  readonly opening: readonly BuiltInstruction[];
  /** Last in the last transaction: the memo, then the tip. */
  readonly closing: readonly BuiltInstruction[];
  /** Accounts that `nonceOf` and `warningsOf` need. */
  readonly reads: readonly Address[];
  /** The durable nonce; null when the transactions take a recent blockhash. Throws when it cannot be used. */
  readonly nonceOf: (read: ReadAccounts) => string | null;
  readonly warningsOf: (read: ReadAccounts) => BuildWarning[];
}

/** Checks the options before anything is read. Throws when one of them cannot be used. */
export function transactionFrame(options: FrameOptions, wallet: Address): TransactionFrame {
  const { memo, durableNonce, tip } = options;
  const feePayer = feePayerOf(options.feePayer, wallet);
  if (durableNonce !== undefined) checkNonceAuthority(durableNonce, [wallet, feePayer]);
  return {
    feePayer,
    opening: durableNonce === undefined ? [] : [advanceNonce(durableNonce)],
    closing: [
      ...(memo === undefined ? [] : [memoInstruction(memo)]),
      ...(tip === undefined ? [] : [tipInstruction(tip, feePayer)]),
    ],
    reads: [
      ...(durableNonce === undefined ? [] : [durableNonce.account]),
      ...(tip === undefined ? [] : [feePayer]),
    ],
    nonceOf: (read) => (durableNonce === undefined ? null : storedNonce(durableNonce, read)),
    warningsOf: (read) => (tip === undefined ? [] : tipWarnings(tip, read(feePayer)?.lamports ?? 0n)),
  };
}
