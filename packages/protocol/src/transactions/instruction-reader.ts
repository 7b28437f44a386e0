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

/** `rest` is the data after the fixed arguments. */
export function instructionReader<A extends AccountUses, F extends Fields, Context, T>(
  layout: InstructionLayout<A, F>,
  read: (decoded: DecodedInstruction<A, F>, context: Context, rest: Uint8Array) => T,
): InstructionReader<Context, T> {
  return {
    name: layout.name,
    discriminator: layout.discriminator,
    read: (instruction, context) => {
      const rest = instruction.data.subarray(layout.discriminator.length + layout.args.size);
      return read(layout.decode(encoded(instruction)), context, rest);
    },
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
