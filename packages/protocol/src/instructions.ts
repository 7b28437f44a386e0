import type { Address } from '@solana/kit';
import * as farms from './farms/instructions.ts';
import * as rewards from './farms/reward-instructions.ts';
import * as lendingActions from './klend/action-instructions.ts';
import * as flashLoans from './klend/flash-instructions.ts';
import * as liquidations from './klend/liquidation-instructions.ts';
import * as lendingPositions from './klend/position-instructions.ts';
import * as lendingSetup from './klend/setup-instructions.ts';
import * as withdrawQueue from './klend/withdraw-queue-instructions.ts';
import * as allocations from './kvault/allocation-instructions.ts';
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
import { ProtocolError } from './protocol-error.ts';
import * as systemAccounts from './system/account-instructions.ts';
import * as system from './system/instructions.ts';
import * as tokenFees from './token/fee-instructions.ts';
import * as token from './token/instructions.ts';
import * as tokenSupply from './token/supply-instructions.ts';

/** The known instructions of each program of a deployment. */
export function knownInstructions(ids: ProgramIds): ReadonlyMap<Address, readonly InstructionLayout[]> {
  const { createAssociatedTokenIdempotent, ...tokenProgram } = token;
  const { transferLamports, ...computeBudget } = system;
  const lending = {
    ...lendingSetup,
    ...lendingActions,
    ...lendingPositions,
    ...liquidations,
    ...flashLoans,
    ...withdrawQueue,
  };
  const tokens = Object.values({ ...tokenProgram, ...tokenSupply });
  return new Map<Address, readonly InstructionLayout[]>([
    [ids.klend, Object.values(lending)],
    [ids.kvault, Object.values({ ...vaults, ...allocations })],
    [ids.farms, Object.values({ ...farms, ...rewards })],
    [TOKEN_PROGRAM, tokens],
    [TOKEN_2022_PROGRAM, [...tokens, ...Object.values(tokenFees)]],
    [ASSOCIATED_TOKEN_PROGRAM, [createAssociatedTokenIdempotent]],
    [SYSTEM_PROGRAM, [transferLamports, ...Object.values(systemAccounts)]],
    [COMPUTE_BUDGET_PROGRAM, Object.values(computeBudget)],
  ] as [Address, InstructionLayout[]][]);
}

/** The layout whose discriminator matches the start of the data. */
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
    throw new ProtocolError('INSTRUCTION_UNKNOWN', { program: programAddress, data: start });
  }
  return layout;
}

/**
 * Resolves an instruction's name, its named accounts and its arguments.
 *
 * @example
 * const { name, accounts, args } = decodeInstruction(knownInstructions(MAINNET_PROGRAMS), instruction);
 */
export function decodeInstruction(
  known: ReadonlyMap<Address, readonly InstructionLayout[]>,
  instruction: EncodedInstruction,
): DecodedInstruction {
  return findInstruction(known, instruction).decode(instruction);
}
