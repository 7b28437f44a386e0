import type { EncodedInstruction } from '@sluice/protocol/layout/instruction';

/** An instruction of a transaction with its inner instructions. */
export interface Step {
  readonly instruction: EncodedInstruction;
  readonly inner: readonly EncodedInstruction[];
  /** The name that the program logs; null for programs that log none. */
  readonly name: string | null;
}

export function plain(...instructions: readonly EncodedInstruction[]): Step[] {
  return instructions.map((instruction) => ({ instruction, inner: [], name: null }));
}

export function withInner(
  name: string,
  instruction: EncodedInstruction,
  inner: readonly EncodedInstruction[],
): Step {
  return { instruction, inner, name };
}
