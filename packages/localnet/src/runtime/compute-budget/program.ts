import { COMPUTE_BUDGET_PROGRAM } from '@sluice/protocol/program-ids';
import type { Program } from '../program.ts';

const UNITS = 150;

/** Does nothing when it runs: its instructions are read before the transaction starts. */
export const computeBudgetProgram: Program = {
  address: COMPUTE_BUDGET_PROGRAM,
  isBuiltin: true,
  run: ({ consume }) => consume(UNITS),
};
