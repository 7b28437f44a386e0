import { refreshObligation, refreshReserve } from '@sluice/protocol/klend/setup-instructions';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '@sluice/protocol/program-ids';
import type { BuiltStep } from '../action.ts';

const PREPARING: readonly string[] = [refreshReserve.name, refreshObligation.name];
const WALLET_PROGRAMS: readonly string[] = [ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM];

/** Describes a step: the summaries of its main instructions. */
export function stepSummary({ action }: BuiltStep): string {
  return action.instructions
    .filter(
      ({ setup, name, programAddress }) =>
        !setup && !PREPARING.includes(name) && !WALLET_PROGRAMS.includes(programAddress),
    )
    .map(({ summary }) => summary)
    .join('; ');
}
