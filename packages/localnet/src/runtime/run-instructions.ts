import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';
import type { Address } from '@solana/kit';
import { AccountOverlay, type AccountReader } from './account-overlay.ts';
import { Execution } from './execution.ts';
import { InstructionError } from './instruction-error.ts';
import type { Clock, Program } from './program.ts';
import type { StoredAccount } from './stored-account.ts';

const MAX_COMPUTE_UNITS = 1_400_000;

/** Runs instructions without a transaction. Returns the accounts that they changed; null when one of them fails. */
export function runInstructions(
  instructions: readonly EncodedInstruction[],
  base: AccountReader,
  clock: Clock,
  programs: ReadonlyMap<Address, Program>,
): ReadonlyMap<Address, StoredAccount> | null {
  const accounts = new AccountOverlay(base);
  const execution = new Execution({
    accounts,
    programs,
    clock,
    instructions,
    computeUnitLimit: MAX_COMPUTE_UNITS,
  });
  try {
    for (const index of instructions.keys()) execution.run(index);
  } catch (error) {
    if (error instanceof InstructionError) return null;
    throw error;
  }
  return accounts.changed;
}
