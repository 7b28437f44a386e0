import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { isSluiceError, SluiceError } from '../errors/sluice-error.ts';
import type { EncodedInstruction } from '../programs/layout/instruction.ts';
import type { BuiltInstruction } from './built-instruction.ts';
import { type ComputeOptions, computeBudget } from './compute-budget.ts';
import type { UsableTable } from './lookup-tables.ts';
import { type ChosenTable, chooseTables } from './table-choice.ts';
import { accountsNamed, transactionSize } from './transaction-size.ts';

/** Maximum bytes of a transaction in a network packet, signatures included. */
export const TRANSACTION_SIZE_LIMIT = 1232;
/** Maximum accounts that the runtime locks for one transaction, including those in lookup tables. */
const TRANSACTION_ACCOUNT_LIMIT = 64;

/** Validity of a transaction. */
export interface Lifetime {
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
}

export interface PlanInput extends ComputeOptions {
  readonly feePayer: Address;
  readonly instructions: readonly BuiltInstruction[];
  readonly tables: readonly UsableTable[];
  readonly lifetime: Lifetime;
}

/** A compiled v0 transaction without its signature. */
export interface UnsignedTransaction {
  /** Wire format, with zeros in place of the signature. */
  readonly base64: string;
  readonly sizeBytes: number;
  readonly sizeLimit: number;
  readonly bytesSavedByTables: number;
  readonly tablesUsed: readonly Omit<ChosenTable, 'addresses'>[];
  readonly blockhash: string;
  readonly lastValidBlockHeight: bigint;
  /** In order, compute budget included. */
  readonly instructions: readonly BuiltInstruction[];
}

/**
 * Compiles one transaction, or two when it would be too large and the set-up can run first. Deterministic. Throws
 * TRANSACTION_SIZE_ERROR with the size and account count if a part does not fit.
 */
export function planTransactions(input: PlanInput): UnsignedTransaction[] {
  const { instructions } = input;
  const whole = compile(input, instructions);
  if (!isSluiceError(whole)) return [whole];
  const setup = instructions.filter((each) => each.setup);
  const action = instructions.filter((each) => !each.setup);
  if (setup.length === 0) throw whole;
  return [setup, action].map((part) => {
    const compiled = compile(input, part);
    if (isSluiceError(compiled)) throw compiled;
    return compiled;
  });
}

/** Whether everything fits into one transaction. Computes the size, because compiling would dominate the cost of a build. */
export function fitsInOne(input: Omit<PlanInput, 'lifetime'>): boolean {
  const { feePayer, tables } = input;
  const all = [...computeBudget(input), ...input.instructions];
  // Tables are used only where they save bytes. Without tables, the size limit implies the account limit.
  if (transactionSize(all, feePayer, []) <= TRANSACTION_SIZE_LIMIT) return true;
  if (accountsNamed(all, feePayer) > TRANSACTION_ACCOUNT_LIMIT) return false;
  return transactionSize(all, feePayer, chooseTables(all, feePayer, tables)) <= TRANSACTION_SIZE_LIMIT;
}

/** The transaction, or the error that prevents it. */
function compile(
  input: PlanInput,
  instructions: readonly BuiltInstruction[],
): UnsignedTransaction | SluiceError {
  const { feePayer, tables, lifetime } = input;
  const all = [...computeBudget(input), ...instructions];
  const chosen = chooseTables(all, feePayer, tables);
  const accounts = accountsNamed(all, feePayer);
  // Checked first: the compiler cannot handle too many accounts.
  if (accounts > TRANSACTION_ACCOUNT_LIMIT) return tooLarge(transactionSize(all, feePayer, chosen), accounts);
  const bytes = encode(all, feePayer, chosen, lifetime);
  if (bytes.length > TRANSACTION_SIZE_LIMIT) return tooLarge(bytes.length, accounts);
  return {
    base64: Buffer.from(bytes).toString('base64'),
    sizeBytes: bytes.length,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
    bytesSavedByTables: chosen.reduce((sum, { bytesSaved }) => sum + bytesSaved, 0),
    tablesUsed: chosen.map(({ addresses: _, ...table }) => table),
    blockhash: lifetime.blockhash,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    instructions: all,
  };
}

function encode(
  instructions: readonly EncodedInstruction[],
  feePayer: Address,
  tables: readonly ChosenTable[],
  { blockhash, lastValidBlockHeight }: Lifetime,
): Uint8Array {
  const contents = Object.fromEntries(tables.map(({ address, addresses }) => [address, [...addresses]]));
  const plain = instructions.map(({ programAddress, accounts, data }) => ({
    programAddress,
    accounts,
    data,
  }));
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight },
        message,
      ),
    (message) => appendTransactionMessageInstructions(plain, message),
    (message) => compressTransactionMessageUsingAddressLookupTables(message, contents),
    (message) => compileTransaction(message),
  );
  return new Uint8Array(getTransactionEncoder().encode(transaction));
}

function tooLarge(sizeBytes: number, accounts: number): SluiceError {
  return new SluiceError('TRANSACTION_SIZE_ERROR', {
    sizeBytes,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
    accounts,
    accountLimit: TRANSACTION_ACCOUNT_LIMIT,
  });
}
