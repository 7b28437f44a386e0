import type { ConfirmedInstruction, ConfirmedTransaction } from './confirmed-transaction.ts';

/** One instruction as it ran, with those that its program called. */
export interface Call {
  readonly instruction: ConfirmedInstruction;
  readonly children: Call[];
}

/**
 * The calls of a transaction as a tree, by stack height. Where the node told no heights, calls are filed under the latest
 * one before them that `opens` names: a program of the platform calls token programs and the platform's quiet
 * instructions, never another that opens.
 */
export function callsOf(
  { instructions, innerInstructions }: ConfirmedTransaction,
  opens: (instruction: ConfirmedInstruction) => boolean,
): Call[] {
  const inner = new Map(innerInstructions.map((each) => [each.index, each.instructions]));
  return instructions.map((instruction, index) => {
    const root: Call = { instruction, children: [] };
    const within = inner.get(index) ?? [];
    if (within.every(({ stackHeight }) => stackHeight !== null)) fileByHeight(root, within);
    else fileByOrder(root, within, opens);
    return root;
  });
}

function fileByHeight(root: Call, within: readonly ConfirmedInstruction[]): void {
  const open: Call[] = [root];
  for (const instruction of within) {
    const call: Call = { instruction, children: [] };
    // Heights start at 2 inside; a damaged one is taken as a call of the outermost program.
    const depth = Math.min(Math.max((instruction.stackHeight ?? 2) - 1, 1), open.length);
    open.length = depth;
    open[depth - 1]?.children.push(call);
    open.push(call);
  }
}

function fileByOrder(
  root: Call,
  within: readonly ConfirmedInstruction[],
  opens: (instruction: ConfirmedInstruction) => boolean,
): void {
  const rootOpens = opens(root.instruction);
  let current = root;
  for (const instruction of within) {
    const call: Call = { instruction, children: [] };
    if (!rootOpens && opens(instruction)) {
      root.children.push(call);
      current = call;
    } else {
      current.children.push(call);
    }
  }
}

/** The call and everything below it, in the order in which it ran. */
export function* allOf(call: Call): Iterable<Call> {
  yield call;
  for (const child of call.children) yield* allOf(child);
}
