import type { BuiltInstruction } from '../built-instruction.ts';

/** The instructions of one transaction, in order, with the positions that some of them name written into their data. */
export function withPositions(instructions: readonly BuiltInstruction[]): BuiltInstruction[] {
  return instructions.map((each) => {
    const { names } = each;
    if (names === undefined) return each;
    const position = instructions.findIndex(({ mark }) => mark === names.mark);
    if (position < 0) throw new RangeError(`${each.name} names an instruction of another transaction`);
    return { ...each, data: names.data(position) };
  });
}
