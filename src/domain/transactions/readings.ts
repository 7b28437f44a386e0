import { AccountRole } from '@solana/kit';
import type {
  AccountUses,
  DecodedInstruction,
  EncodedInstruction,
  InstructionLayout,
} from '../../programs/layout/instruction.ts';
import type { Fields } from '../../programs/layout/struct.ts';
import type { ConfirmedInstruction } from './confirmed-transaction.ts';

/** What one kind of instruction is read as, given what is known around it. */
export interface Reading<Around, T> {
  readonly name: string;
  readonly discriminator: Uint8Array;
  /** Throws a typed error when the instruction is malformed. */
  read(instruction: ConfirmedInstruction, around: Around): T;
}

export function reading<A extends AccountUses, F extends Fields, Around, T>(
  layout: InstructionLayout<A, F>,
  read: (decoded: DecodedInstruction<A, F>, around: Around) => T,
): Reading<Around, T> {
  return {
    name: layout.name,
    discriminator: layout.discriminator,
    read: (instruction, around) => read(layout.decode(encoded(instruction)), around),
  };
}

/** The reading whose discriminator the data starts with. */
export function findReading<R extends { readonly discriminator: Uint8Array }>(
  readings: readonly R[],
  data: Uint8Array,
): R | undefined {
  return readings.find(({ discriminator }) =>
    discriminator.every((byte, i) => i < data.length && data[i] === byte),
  );
}

/** Confirmed transactions do not tell roles, and decoding does not need them. */
function encoded({ programAddress, accounts, data }: ConfirmedInstruction): EncodedInstruction {
  return {
    programAddress,
    accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY })),
    data,
  };
}
