import type { Address } from '@solana/kit';
import { computeBudgetProgram } from './compute-budget/program.ts';
import type { Program } from './program.ts';

/** The programs that the embedded chain runs. */
export const PROGRAMS: ReadonlyMap<Address, Program> = new Map(
  ([computeBudgetProgram] as Program[]).map((program) => [program.address, program]),
);
