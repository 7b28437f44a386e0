import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import { COMPUTE_BUDGET_PROGRAM } from '@sluice/protocol/program-ids';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  prependTransactionMessageInstructions,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { type CodedError, isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { BuiltInstruction } from '../built-instruction.ts';
import { isFlashBorrow } from '../leverage/flash-loan.ts';
import { type ComputeOptions, computeBudget, MAX_COMPUTE_UNITS } from '../transaction/compute-budget.ts';
import { isNonceAdvance, nonceForSeveral } from '../transaction/durable-nonce.ts';
import { withPositions } from '../transaction/instruction-positions.ts';
import type { UsableTable } from '../transaction/lookup-tables.ts';
import { accountsNamed, transactionSize } from '../transaction/size.ts';
import { type ChosenTable, chooseTables } from '../transaction/table-choice.ts';
import type { SplitReason } from './step-groups.ts';

/** Maximum bytes of a transaction in a network packet, signatures included. */
export const TRANSACTION_SIZE_LIMIT = 1232;
/** Maximum accounts that the runtime locks for one transaction, including those in lookup tables. */
const TRANSACTION_ACCOUNT_LIMIT = 64;

/** Validity of a transaction. */
export interface Lifetime {
  /** A recent blockhash, or a durable nonce. */
  readonly blockhash: string;
  /** Null with a durable nonce, which does not expire. */
  readonly lastValidBlockHeight: bigint | null;
}

export interface PlanInput extends ComputeOptions {
  readonly feePayer: Address;
  /** Before everything else, in each transaction. */
  readonly opening?: readonly BuiltInstruction[];
  readonly instructions: readonly BuiltInstruction[];
  /** After everything else, in the last transaction. */
  readonly closing?: readonly BuiltInstruction[];
  readonly tables: readonly UsableTable[];
  readonly lifetime: Lifetime;
}

/** A compiled v0 transaction without its signatures. */
export interface UnsignedTransaction {
  /** Wire format, with zeros in place of the signatures. */
  readonly base64: string;
  /** The accounts that must sign, in the order of the signatures: the fee payer first. */
  readonly signers: readonly Address[];
  readonly sizeBytes: number;
  readonly sizeLimit: number;
  readonly bytesSavedByTables: number;
  readonly tablesUsed: readonly Omit<ChosenTable, 'addresses'>[];
  readonly blockhash: string;
  /** Null with a durable nonce, which does not expire. */
  readonly lastValidBlockHeight: bigint | null;
  /** Price of a compute unit in millionths of a lamport; null when the transaction sets none. */
  readonly priorityFeeMicroLamports: bigint | null;
  /** In order, compute budget included. */
  readonly instructions: readonly BuiltInstruction[];
}

/**
 * Compiles one transaction, or two when it would be too large and the set-up can run first. Deterministic. Throws
 * TRANSACTION_SIZE_ERROR with the size and account count if a part does not fit.
 */
export function planTransactions(input: PlanInput): UnsignedTransaction[] {
  const { instructions } = input;
  const whole = compile(input, wholeOf(input));
  if (!isCodedError(whole)) return [whole];
  const setup = instructions.filter((each) => each.setup);
  const action = instructions.filter((each) => !each.setup);
  if (setup.length === 0) throw whole;
  if (input.lifetime.lastValidBlockHeight === null) throw nonceForSeveral();
  const { opening = [], closing = [] } = input;
  return [
    [...opening, ...computeBudget(input), ...setup],
    [...opening, ...computeBudget(input), ...action, ...closing],
  ].map((part) => {
    const compiled = compile(input, part);
    if (isCodedError(compiled)) throw compiled;
    return compiled;
  });
}

/** All instructions as one transaction has them. An opening comes first: the runtime looks for a nonce only there. */
function wholeOf(input: Omit<PlanInput, 'lifetime'>): BuiltInstruction[] {
  const { opening = [], instructions, closing = [] } = input;
  return [...opening, ...computeBudget(input), ...instructions, ...closing];
}

/** The instructions whose accounts a table may provide: the runtime wants a nonce account in the message itself. */
function tabled(all: readonly BuiltInstruction[]): readonly BuiltInstruction[] {
  const [first] = all;
  return first !== undefined && isNonceAdvance(first) ? all.slice(1) : all;
}

/** The limit that one transaction exceeds; null when all fits. Computes the size: compiling would dominate a build. */
export function overflowOf(input: Omit<PlanInput, 'lifetime'>): SplitReason | null {
  const { feePayer, tables } = input;
  const all = wholeOf(input);
  if (all.filter(isFlashBorrow).length > 1) return 'FLASH_LOANS';
  const isBudget = ({ programAddress }: BuiltInstruction) => programAddress === COMPUTE_BUDGET_PROGRAM;
  if (all.some(({ alone }) => alone) && all.filter((each) => !isBudget(each)).length > 1) return 'ALONE';
  const units = all.reduce((sum, { units: own = 0 }) => sum + own, 0);
  if (units > MAX_COMPUTE_UNITS) return 'COMPUTE';
  // Tables are used only where they save bytes. Without tables, the size limit implies the account limit.
  if (transactionSize(all, feePayer, []) <= TRANSACTION_SIZE_LIMIT) return null;
  if (accountsNamed(all, feePayer) > TRANSACTION_ACCOUNT_LIMIT) return 'ACCOUNTS';
  const chosen = chooseTables(tabled(all), feePayer, tables);
  return transactionSize(all, feePayer, chosen) <= TRANSACTION_SIZE_LIMIT ? null : 'SIZE';
}

/** The transaction, or the error that prevents it. */
function compile(input: PlanInput, parts: readonly BuiltInstruction[]): UnsignedTransaction | CodedError {
  const { feePayer, tables, lifetime } = input;
  const all = withPositions(parts);
  const chosen = chooseTables(tabled(all), feePayer, tables);
  const accounts = accountsNamed(all, feePayer);
  // Checked first: the compiler cannot handle too many accounts.
  if (accounts > TRANSACTION_ACCOUNT_LIMIT) return tooLarge(transactionSize(all, feePayer, chosen), accounts);
  const { bytes, signers } = encode(all, feePayer, chosen, lifetime);
  if (bytes.length > TRANSACTION_SIZE_LIMIT) return tooLarge(bytes.length, accounts);
  return {
    base64: Buffer.from(bytes).toString('base64'),
    signers,
    sizeBytes: bytes.length,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
    bytesSavedByTables: chosen.reduce((sum, { bytesSaved }) => sum + bytesSaved, 0),
    tablesUsed: chosen.map(({ addresses: _, ...table }) => table),
    blockhash: lifetime.blockhash,
    lastValidBlockHeight: lifetime.lastValidBlockHeight,
    priorityFeeMicroLamports: input.priorityFeeMicroLamports ?? null,
    instructions: all,
  };
}

function encode(
  instructions: readonly BuiltInstruction[],
  feePayer: Address,
  tables: readonly ChosenTable[],
  { blockhash, lastValidBlockHeight }: Lifetime,
): { readonly bytes: Uint8Array; readonly signers: Address[] } {
  const contents = Object.fromEntries(tables.map(({ address, addresses }) => [address, [...addresses]]));
  const fromTables = tabled(instructions);
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayer, message),
    (message) =>
      // A nonce stands in the same place of the message; the height is not part of it.
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: lastValidBlockHeight ?? 0n },
        message,
      ),
    (message) => appendTransactionMessageInstructions(fromTables.map(plain), message),
    (message) => compressTransactionMessageUsingAddressLookupTables(message, contents),
    (message) =>
      prependTransactionMessageInstructions(
        instructions.slice(0, instructions.length - fromTables.length).map(plain),
        message,
      ),
    (message) => compileTransaction(message),
  );
  return {
    bytes: new Uint8Array(getTransactionEncoder().encode(transaction)),
    signers: Object.keys(transaction.signatures) as Address[],
  };
}

const plain = ({ programAddress, accounts, data }: EncodedInstruction) => ({
  programAddress,
  accounts,
  data,
});

function tooLarge(sizeBytes: number, accounts: number): CodedError {
  return new SluiceError('TRANSACTION_SIZE_ERROR', {
    sizeBytes,
    sizeLimit: TRANSACTION_SIZE_LIMIT,
    accounts,
    accountLimit: TRANSACTION_ACCOUNT_LIMIT,
  });
}
