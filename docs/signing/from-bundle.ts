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
import type { BundleRole, InstructionBundle } from './ask-builder.ts';
import { type ComputeBudget, computeBudget } from './compute-budget.ts';

const ROLES: Readonly<Record<BundleRole, AccountRole>> = {
  READONLY: AccountRole.READONLY,
  WRITABLE: AccountRole.WRITABLE,
  READONLY_SIGNER: AccountRole.READONLY_SIGNER,
  WRITABLE_SIGNER: AccountRole.WRITABLE_SIGNER,
};

/** From `getLatestBlockhash`. */
export interface Lifetime {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
}

/** The instructions of a bundle as kit has them. Put your own before or after: a swap, a memo. */
export function instructionsOf({ instructions }: InstructionBundle): Instruction[] {
  return instructions.map(({ programAddress, accounts, data }) => ({
    programAddress: address(programAddress),
    accounts: accounts.map((account) => ({ address: address(account.address), role: ROLES[account.role] })),
    data: getBase64Encoder().encode(data),
  }));
}

/** The lookup tables of a bundle as kit has them; their order is what transactions count by. */
export function tablesOf({ lutsByAddress }: InstructionBundle): AddressesByLookupTableAddress {
  return Object.fromEntries(
    Object.entries(lutsByAddress).map(([table, addresses]) => [
      address(table),
      addresses.map((each) => address(each)),
    ]),
  );
}

/** An unsigned v0 transaction of a bundle, with a blockhash and a compute budget of your own. */
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
