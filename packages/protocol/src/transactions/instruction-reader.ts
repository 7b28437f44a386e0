import { AccountRole } from '@solana/kit';
import type {
  AccountUses,
  DecodedInstruction,
  EncodedInstruction,
  InstructionLayout,
} from '../layout/instruction.ts';
import type { Fields } from '../layout/struct.ts';
import type { ConfirmedInstruction } from './confirmed-transaction.ts';

/** Interprets one kind of instruction in its context. */
export interface InstructionReader<Context, T> {
  readonly name: string;
  readonly discriminator: Uint8Array;
  /** Throws a typed error when the instruction is malformed. */
  read(instruction: ConfirmedInstruction, context: Context): T;
}

export function instructionReader<A extends AccountUses, F extends Fields, Context, T>(
  layout: InstructionLayout<A, F>,
  read: (decoded: DecodedInstruction<A, F>, context: Context) => T,
): InstructionReader<Context, T> {
  return {
    name: layout.name,
    discriminator: layout.discriminator,
    read: (instruction, context) => read(layout.decode(encoded(instruction)), context),
  };
}

/** The reader whose discriminator matches the start of the data. */
export function findReader<R extends { readonly discriminator: Uint8Array }>(
  readers: readonly R[],
  data: Uint8Array,
): R | undefined {
  return readers.find(({ discriminator }) =>
    discriminator.every((byte, i) => i < data.length && data[i] === byte),
  );
}

/** Confirmed transactions contain no account roles, and decoding does not need them. */
function encoded({ programAddress, accounts, data }: ConfirmedInstruction): EncodedInstruction {
  return {
    programAddress,
    accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY })),
    data,
  };
}
