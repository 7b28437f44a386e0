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

/** Bytes that a network packet has room for, signatures included. */
export const TRANSACTION_SIZE_LIMIT = 1232;
/** Accounts that the runtime locks for one transaction, those in lookup tables included. */
const TRANSACTION_ACCOUNT_LIMIT = 64;

/** How long a transaction may be sent. */
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

/** A compiled v0 transaction that only lacks its signature. */
export interface UnsignedTransaction {
  /** Wire format, with zeros where the signature goes. */
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
 * One transaction; two when it would be too large and set-up can go ahead. The same input always gives the same bytes.
 * Refuses with the size of what does not fit, and how many accounts it names.
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

/** Whether all of it fits into one transaction. Compiling it to find out would take most of the time of a build. */
export function fitsInOne(input: Omit<PlanInput, 'lifetime'>): boolean {
  const { feePayer, tables } = input;
  const all = [...computeBudget(input), ...input.instructions];
  // A table is only ever named where that saves bytes. Without one, no more accounts fit than may be named.
  if (transactionSize(all, feePayer, []) <= TRANSACTION_SIZE_LIMIT) return true;
  if (accountsNamed(all, feePayer) > TRANSACTION_ACCOUNT_LIMIT) return false;
  return transactionSize(all, feePayer, chooseTables(all, feePayer, tables)) <= TRANSACTION_SIZE_LIMIT;
}

/** The transaction, or why it cannot be one. */
function compile(
  input: PlanInput,
  instructions: readonly BuiltInstruction[],
): UnsignedTransaction | SluiceError {
  const { feePayer, tables, lifetime } = input;
  const all = [...computeBudget(input), ...instructions];
  const chosen = chooseTables(all, feePayer, tables);
  const accounts = accountsNamed(all, feePayer);
  // More than can be compiled may be among them.
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
