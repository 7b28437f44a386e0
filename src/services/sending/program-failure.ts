import type { ProgramIds } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import { failedProgram, programError } from '../../builders/program-errors.ts';

/** A program's or the runtime's error. */
export interface ProgramFailure {
  /** Null when the transaction failed before any instruction ran. */
  readonly instructionIndex: number | null;
  /** The program that failed, also when another one called it. Null when none ran. */
  readonly programAddress: Address | null;
  /** The program's custom error code; null for a runtime error. */
  readonly code: number | null;
  /** Null for an unknown code. */
  readonly name: string | null;
  /** Meaning, and what to do about it. */
  readonly message: string;
}

/** Remedies for errors for which the transaction as a whole was refused. */
const RUNTIME_ADVICE: Readonly<Record<string, string>> = {
  AccountNotFound: 'The fee payer has no SOL. Add SOL, or use another fee payer.',
  BlockhashNotFound: 'The blockhash is unknown or has expired. Build the transaction again.',
  InsufficientFundsForFee: 'The fee payer has too little SOL for the fee. Add SOL.',
  InsufficientFundsForRent: 'An account would have too little SOL to be rent-exempt. Add SOL.',
};

/**
 * Parses the RPC's error: `{InstructionError: [index, {Custom: code} | name]}`, or a runtime error (string or object).
 *
 * @param programs the program of each instruction
 */
export function programFailure(
  ids: ProgramIds,
  { error, logs }: { readonly error: unknown; readonly logs: readonly string[] },
  programs: readonly Address[],
): ProgramFailure {
  const detail = (error as { InstructionError?: readonly [number | bigint, unknown] }).InstructionError;
  if (!Array.isArray(detail)) {
    const name = typeof error === 'string' ? error : (Object.keys(error as object)[0] ?? null);
    const advice = name === null ? undefined : RUNTIME_ADVICE[name];
    const message = advice ?? `The transaction failed before it ran: ${name ?? 'no reason given'}.`;
    return { instructionIndex: null, programAddress: null, code: null, name, message };
  }
  const instructionIndex = Number(detail[0]);
  // A program called by the instruction may have failed; the code is then that program's.
  const programAddress = failedProgram(logs) ?? programs[instructionIndex] ?? null;
  const custom = (detail[1] as { Custom?: number | bigint } | null)?.Custom;
  if (custom === undefined) {
    const name = typeof detail[1] === 'string' ? detail[1] : (Object.keys(Object(detail[1]))[0] ?? null);
    const message = `The runtime failed: ${name ?? 'no reason given'}.`;
    return { instructionIndex, programAddress, code: null, name, message };
  }
  const code = Number(custom);
  if (programAddress === null) {
    const message = `Instruction ${instructionIndex} failed with custom error ${code}.`;
    return { instructionIndex, programAddress, code, name: null, message };
  }
  const { name, advice } = programError(ids, programAddress, code);
  return { instructionIndex, programAddress, code, name, message: advice };
}
