import type { ConfirmedInstruction, ConfirmedTransaction } from './confirmed-transaction.ts';

/** One executed instruction, with the instructions that its program invoked. */
export interface Call {
  readonly instruction: ConfirmedInstruction;
  readonly children: Call[];
}

/**
 * The call tree of a transaction, by stack height. Without heights from the node, a call becomes a child of the latest
 * preceding platform action: an action invokes token programs and ignored instructions, never another action.
 */
export function callsOf(
  { instructions, innerInstructions }: ConfirmedTransaction,
  isAction: (instruction: ConfirmedInstruction) => boolean,
): Call[] {
  const inner = new Map(innerInstructions.map((each) => [each.index, each.instructions]));
  return instructions.map((instruction, index) => {
    const root: Call = { instruction, children: [] };
    const within = inner.get(index) ?? [];
    if (within.every(({ stackHeight }) => stackHeight !== null)) nestByHeight(root, within);
    else nestByOrder(root, within, isAction);
    return root;
  });
}

function nestByHeight(root: Call, within: readonly ConfirmedInstruction[]): void {
  const open: Call[] = [root];
  for (const instruction of within) {
    const call: Call = { instruction, children: [] };
    // Inner heights start at 2; an invalid one counts as a call of the outermost program.
    const depth = Math.min(Math.max((instruction.stackHeight ?? 2) - 1, 1), open.length);
    open.length = depth;
    open[depth - 1]?.children.push(call);
    open.push(call);
  }
}

function nestByOrder(
  root: Call,
  within: readonly ConfirmedInstruction[],
  isAction: (instruction: ConfirmedInstruction) => boolean,
): void {
  const isRootAction = isAction(root.instruction);
  let current = root;
  for (const instruction of within) {
    const call: Call = { instruction, children: [] };
    if (!isRootAction && isAction(instruction)) {
      root.children.push(call);
      current = call;
    } else {
      current.children.push(call);
    }
  }
}

/** The call and all its descendants, in execution order. */
export function* allOf(call: Call): Iterable<Call> {
  yield call;
  for (const child of call.children) yield* allOf(child);
}
