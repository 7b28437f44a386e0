import type { Address } from '@solana/kit';
import { computeBudgetProgram } from './compute-budget/program.ts';
import { lendingProgram } from './klend/program.ts';
import type { Program } from './program.ts';

/** The programs that the embedded chain runs. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  ([computeBudgetProgram, lendingProgram] as Program[]).map((program) => [program.address, program]),
);
