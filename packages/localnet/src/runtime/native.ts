import type { Address } from '@solana/kit';
import { ArgumentReader } from './argument-reader.ts';
import type { InstructionAccount } from './instruction-account.ts';
import { InstructionError } from './instruction-error.ts';
import type { Invocation, Program } from './program.ts';

/** Programs in the style of the node's built-in ones: a tag of four bytes selects the instruction, its arguments follow. */

export interface NativeCall<A> {
  readonly invocation: Invocation;
  readonly args: A;
  /** The account at a position. */
  account(index: number): InstructionAccount;
  /** Whether an address signed the instruction. */
  hasSigned(address: Address): boolean;
}

/** One instruction of such a program. */
export interface NativeInstruction {
  readonly tag: number;
  run(invocation: Invocation, reader: ArgumentReader): void;
}

export function nativeInstruction<A>(
  tag: number,
  /** The least number of accounts. */
  accountCount: number,
  decode: (reader: ArgumentReader) => A,
  handler: (call: NativeCall<A>) => void,
): NativeInstruction {
  return {
    tag,
    run(invocation, reader) {
      const { accounts } = invocation;
      const args = decode(reader);
      if (accounts.length < accountCount) throw new InstructionError('NotEnoughAccountKeys');
      handler({
        invocation,
        args,
        account(index) {
          const account = accounts[index];
          if (account === undefined) throw new InstructionError('NotEnoughAccountKeys');
          return account;
        },
        hasSigned: (address) => accounts.some((each) => each.isSigner && each.address === address),
      });
    },
  };
}

export function nativeProgram(
  address: Address,
  /** Compute units of every instruction. */
  units: number,
  instructions: readonly NativeInstruction[],
): Program {
  const byTag = new Map(instructions.map((instruction) => [instruction.tag, instruction]));
  return {
    address,
    run(invocation) {
      invocation.consume(units);
      const reader = new ArgumentReader(invocation.data);
      const instruction = byTag.get(reader.u32());
      if (instruction === undefined) throw new InstructionError('InvalidInstructionData');
      instruction.run(invocation, reader);
    },
  };
}

/** Fails with a message in the log. */
export function failWith(invocation: Invocation, message: string, error: InstructionError): never {
  invocation.log(message);
  throw error;
}
