import type { EncodedInstruction } from '../../programs/layout/instruction.ts';

/** An instruction of a transaction, and those that its program made in turn. */
export interface Step {
  readonly instruction: EncodedInstruction;
  readonly inner: readonly EncodedInstruction[];
  /** As the program logs it; null for programs that log nothing. */
  readonly name: string | null;
}

export function plain(...instructions: readonly EncodedInstruction[]): Step[] {
  return instructions.map((instruction) => ({ instruction, inner: [], name: null }));
}

export function within(
  name: string,
  instruction: EncodedInstruction,
  inner: readonly EncodedInstruction[],
): Step {
  return { instruction, inner, name };
}
