import type { Address } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import * as farms from './farms/instructions.ts';
import * as lendingActions from './klend/action-instructions.ts';
import * as lendingSetup from './klend/setup-instructions.ts';
import * as vaults from './kvault/instructions.ts';
import type { DecodedInstruction, EncodedInstruction, InstructionLayout } from './layout/instruction.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  type ProgramIds,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from './program-ids.ts';
import * as system from './system/instructions.ts';
import * as token from './token/instructions.ts';

/** The known instructions of each program of a deployment. */
export function knownInstructions(ids: ProgramIds): ReadonlyMap<Address, readonly InstructionLayout[]> {
  const { createAssociatedTokenIdempotent, ...tokenProgram } = token;
  const { transferLamports, ...computeBudget } = system;
  return new Map<Address, readonly InstructionLayout[]>([
    [ids.klend, [...Object.values(lendingSetup), ...Object.values(lendingActions)]],
    [ids.kvault, Object.values(vaults)],
    [ids.farms, Object.values(farms)],
    [TOKEN_PROGRAM, Object.values(tokenProgram)],
    [TOKEN_2022_PROGRAM, Object.values(tokenProgram)],
    [ASSOCIATED_TOKEN_PROGRAM, [createAssociatedTokenIdempotent]],
    [SYSTEM_PROGRAM, [transferLamports]],
    [COMPUTE_BUDGET_PROGRAM, Object.values(computeBudget)],
  ] as [Address, InstructionLayout[]][]);
}

/** The layout whose discriminator the data starts with. */
export function findInstruction(
  known: ReadonlyMap<Address, readonly InstructionLayout[]>,
  instruction: EncodedInstruction,
): InstructionLayout {
  const { programAddress, data } = instruction;
  const layout = known
    .get(programAddress)
    ?.find(
      ({ discriminator }) => Buffer.compare(data.subarray(0, discriminator.length), discriminator) === 0,
    );
  if (layout === undefined) {
    const start = Buffer.from(data.subarray(0, 8)).toString('hex');
    throw new SluiceError('INSTRUCTION_UNKNOWN', { program: programAddress, data: start });
  }
  return layout;
}

/** Names an instruction, its accounts and its arguments. */
export function decodeInstruction(
  known: ReadonlyMap<Address, readonly InstructionLayout[]>,
  instruction: EncodedInstruction,
): DecodedInstruction {
  return findInstruction(known, instruction).decode(instruction);
}
