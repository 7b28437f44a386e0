import { type ErrorNames, FRAMEWORK_ERRORS } from '@sluice/protocol/error-names';
import { type AccountLayout, viewOf } from '@sluice/protocol/layout/account';
import type { AccountUses, InstructionLayout } from '@sluice/protocol/layout/instruction';
import type { Fields, StructInput, StructOf } from '@sluice/protocol/layout/struct';
import { ProtocolError } from '@sluice/protocol/protocol-error';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from './instruction-account.ts';
import { customError, InstructionError } from './instruction-error.ts';
import type { Invocation, Program } from './program.ts';

/** The framework in which the lending, vault and farms programs are written: dispatch, account checks, error numbers. */

export const ANCHOR_ERRORS = {
  instructionFallbackNotFound: 101,
  instructionDidNotDeserialize: 102,
  constraintMut: 2000,
  constraintHasOne: 2001,
  constraintSigner: 2002,
  constraintRaw: 2003,
  constraintOwner: 2004,
  constraintSeeds: 2006,
  constraintClose: 2011,
  constraintAddress: 2012,
  constraintZero: 2013,
  constraintTokenMint: 2014,
  constraintTokenOwner: 2015,
  constraintTokenTokenProgram: 2021,
  constraintMintTokenProgram: 2022,
  requireEqViolated: 2501,
  requireKeysEqViolated: 2502,
  accountDiscriminatorNotFound: 3001,
  accountDiscriminatorMismatch: 3002,
  accountDidNotDeserialize: 3003,
  accountNotEnoughKeys: 3005,
  accountNotMutable: 3006,
  accountOwnedByWrongProgram: 3007,
  invalidProgramId: 3008,
  accountNotSigner: 3010,
  accountNotSystemOwned: 3011,
  accountNotInitialized: 3012,
  accountSysvarMismatch: 3015,
} as const;

/** Fails with the program's error unless the condition holds. */
export function ensure(condition: boolean, code: number): asserts condition {
  if (!condition) throw customError(code);
}

/** Error of a program that panics, for instance because of an arithmetic overflow. */
export function aborted(): InstructionError {
  return new InstructionError('ProgramFailedToComplete');
}

/** The programs check all arithmetic: a division by zero, or a number that its field cannot hold, is a panic. */
function isArithmetic(error: unknown): boolean {
  if (error instanceof ProtocolError) return error.code === 'NUMBER_OUT_OF_RANGE';
  return error instanceof RangeError && error.message === 'Division by zero';
}

/** The accounts of an instruction by name; null for an absent optional one. */
export type NamedAccounts<A extends AccountUses> = {
  readonly [K in keyof A]: A[K] extends `${string}?` ? InstructionAccount | null : InstructionAccount;
};

export interface AnchorCall<A extends AccountUses = AccountUses, F extends Fields = Fields> {
  readonly invocation: Invocation;
  readonly accounts: NamedAccounts<A>;
  readonly args: StructOf<F>;
  /** The accounts after the named ones. */
  readonly remaining: readonly InstructionAccount[];
}

/** The call of an instruction with this layout. */
export type CallOf<L> = L extends InstructionLayout<infer A, infer F> ? AnchorCall<A, F> : never;

/** One instruction of a program. */
export interface AnchorInstruction {
  readonly layout: Pick<InstructionLayout, 'name' | 'discriminator'>;
  run(invocation: Invocation): void;
}

/** Checks number, signers and writability of the accounts, decodes the arguments, then runs the handler. */
export function anchorInstruction<A extends AccountUses, F extends Fields>(
  layout: InstructionLayout<A, F>,
  /** Typical compute units of the instruction itself, without the programs that it calls. */
  units: number,
  handler: (call: AnchorCall<A, F>) => void,
): AnchorInstruction {
  return {
    layout,
    run(invocation) {
      invocation.consume(units);
      const accounts = namedAccounts(layout, invocation);
      handler({
        invocation,
        accounts,
        args: argumentsOf(layout, invocation),
        remaining: invocation.accounts.slice(layout.accountNames.length),
      });
    },
  };
}

export function anchorProgram(
  address: Address,
  errors: ErrorNames,
  instructions: readonly AnchorInstruction[],
): Program {
  const byDiscriminator = new Map(
    instructions.map((instruction) => [hexOf(instruction.layout.discriminator), instruction]),
  );
  return {
    address,
    run(invocation) {
      try {
        const instruction = byDiscriminator.get(hexOf(invocation.data.subarray(0, 8)));
        if (instruction === undefined) throw customError(ANCHOR_ERRORS.instructionFallbackNotFound);
        const { name } = instruction.layout;
        invocation.log(`Instruction: ${name.charAt(0).toUpperCase()}${name.slice(1)}`);
        instruction.run(invocation);
      } catch (error) {
        if (isArithmetic(error)) throw aborted();
        logFailure(invocation, errors, error);
        throw error;
      }
    },
  };
}

/** The decoded account, after the framework's checks of owner and discriminator. */
export function load<F extends Fields>(
  account: InstructionAccount,
  layout: AccountLayout<F>,
  owner: Address,
): StructOf<F> {
  ensure(account.owner === owner, ANCHOR_ERRORS.accountOwnedByWrongProgram);
  const { data } = account;
  const { discriminator, size } = layout;
  ensure(data.length >= discriminator.length, ANCHOR_ERRORS.accountDiscriminatorNotFound);
  const matches = discriminator.every((byte, i) => data[i] === byte);
  ensure(matches, ANCHOR_ERRORS.accountDiscriminatorMismatch);
  ensure(data.length >= size, ANCHOR_ERRORS.accountDidNotDeserialize);
  return layout.body.read(viewOf(data), discriminator.length);
}

/** Writes the given fields of an account and leaves the others as they are. */
export function patch<F extends Fields>(
  account: InstructionAccount,
  layout: AccountLayout<F>,
  fields: StructInput<F>,
): void {
  const data = new Uint8Array(account.data);
  layout.body.write(viewOf(data), layout.discriminator.length, fields);
  account.write(data);
}

function namedAccounts<A extends AccountUses, F extends Fields>(
  { accounts: uses, accountNames }: InstructionLayout<A, F>,
  { accounts, program }: Invocation,
): NamedAccounts<A> {
  const named: Record<string, InstructionAccount | null> = {};
  accountNames.forEach((name, i) => {
    const use = uses[name] ?? 'readonly';
    const account = accounts[i];
    if (account === undefined) throw customError(ANCHOR_ERRORS.accountNotEnoughKeys);
    if (use.endsWith('?') && account.address === program) {
      named[name] = null;
      return;
    }
    ensure(account.isSigner || !use.includes('signer'), ANCHOR_ERRORS.accountNotSigner);
    ensure(account.isWritable || !use.startsWith('writable'), ANCHOR_ERRORS.constraintMut);
    named[name] = account;
  });
  return named as NamedAccounts<A>;
}

function argumentsOf<A extends AccountUses, F extends Fields>(
  layout: InstructionLayout<A, F>,
  { data }: Invocation,
): StructOf<F> {
  const { args, discriminator } = layout;
  ensure(data.length >= discriminator.length + args.size, ANCHOR_ERRORS.instructionDidNotDeserialize);
  return args.read(viewOf(data), discriminator.length);
}

function logFailure({ log }: Invocation, errors: ErrorNames, error: unknown): void {
  if (!(error instanceof InstructionError) || typeof error.failure === 'string') return;
  const code = error.failure.Custom;
  const name = [errors, ...FRAMEWORK_ERRORS]
    .map(({ first, names }) => names[code - first])
    .find((each) => each !== undefined);
  if (name === undefined) return;
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  log(`AnchorError occurred. Error Code: ${name}. Error Number: ${code}. Error Message: ${words}.`);
}

const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
