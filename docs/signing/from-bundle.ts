import {
  AccountRole,
  type AddressesByLookupTableAddress,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { BundleRole, InstructionBundle } from './call-builder.ts';
import { type ComputeBudget, computeBudget } from './compute-budget.ts';

const ROLES: Readonly<Record<BundleRole, AccountRole>> = {
  READONLY: AccountRole.READONLY,
  WRITABLE: AccountRole.WRITABLE,
  READONLY_SIGNER: AccountRole.READONLY_SIGNER,
  WRITABLE_SIGNER: AccountRole.WRITABLE_SIGNER,
};

/** The result of `getLatestBlockhash`. */
export interface Lifetime {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
}

/** Converts the instructions of a bundle to kit. Add your own before or after them, such as a swap or a memo. */
export function instructionsOf({ instructions }: InstructionBundle): Instruction[] {
  return instructions.map(({ programAddress, accounts, data }) => ({
    programAddress: address(programAddress),
    accounts: accounts.map((account) => ({ address: address(account.address), role: ROLES[account.role] })),
    data: getBase64Encoder().encode(data),
  }));
}

/** Converts the lookup tables of a bundle to kit. Keep the order of entries: transactions refer to them by index. */
export function tablesOf({ lutsByAddress }: InstructionBundle): AddressesByLookupTableAddress {
  return Object.fromEntries(
    Object.entries(lutsByAddress).map(([table, addresses]) => [
      address(table),
      addresses.map((each) => address(each)),
    ]),
  );
}

/** Compiles an unsigned version 0 transaction from a bundle, a blockhash and a compute budget. */
export function transactionOf(
  bundle: InstructionBundle,
  wallet: string,
  { blockhash, lastValidBlockHeight }: Lifetime,
  budget: ComputeBudget,
) {
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(address(wallet), message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight },
        message,
      ),
    (message) =>
      appendTransactionMessageInstructions([...computeBudget(budget), ...instructionsOf(bundle)], message),
    (message) => compressTransactionMessageUsingAddressLookupTables(message, tablesOf(bundle)),
    (message) => compileTransaction(message),
  );
}
