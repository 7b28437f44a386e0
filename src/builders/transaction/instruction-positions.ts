import type { BuiltInstruction } from '../built-instruction.ts';

/** The instructions of one transaction, in order, with the positions that some of them name written into their data. */
export function withPositions(transaction: readonly BuiltInstruction[]): BuiltInstruction[] {
  return transaction.map((each) => withPosition(each, transaction));
}

/** An instruction with the position that it names, if it names one, in its transaction. */
export function withPosition(
  instruction: BuiltInstruction,
  transaction: readonly BuiltInstruction[],
): BuiltInstruction {
  const { names, name } = instruction;
  if (names === undefined) return instruction;
  const position = transaction.findIndex(({ mark }) => mark === names.mark);
  if (position < 0) throw new RangeError(`${name} names an instruction of another transaction`);
  return { ...instruction, data: names.data(position) };
}

/** Whether the data of an instruction depends on its transaction. */
export const namesPosition = ({ names }: BuiltInstruction): boolean => names !== undefined;
