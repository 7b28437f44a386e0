import type { Address } from '@solana/kit';
import type { BuiltInstruction } from '../built-instruction.ts';
import type { FoldedStep } from './step-fold.ts';

/** Why a part of a plan is in a transaction of its own: the limit that a shared one would exceed, or an instruction that shares none. */
export type SplitReason = 'SIZE' | 'ACCOUNTS' | 'FLASH_LOANS' | 'ALONE' | 'COMPUTE';

type Overflow = (instructions: readonly BuiltInstruction[]) => SplitReason | null;

/**
 * Steps that share a transaction. A single step may still need one for its set-up and one for its action. A divisible step
 * may be in several groups.
 */
export interface StepGroup {
  /** Indexes in the plan. */
  readonly steps: readonly number[];
  readonly instructions: readonly BuiltInstruction[];
  /** The step of each instruction. */
  readonly owners: readonly number[];
  /** Why the group does not share the transaction of the one before it; null for the first. */
  readonly split: SplitReason | null;
}

export interface GroupedSteps {
  /** As they are built for the transaction that they are in. */
  readonly steps: readonly FoldedStep[];
  readonly groups: readonly StepGroup[];
}

const NOTHING_FRESH: ReadonlySet<Address> = new Set();

/**
 * Puts as many steps into each transaction as fit, in order. Nothing is fresh at the start of a transaction, so a step that
 * begins one is built again, with all its refreshes. A divisible step that is too large for one continues in the next.
 *
 * @param overflow what instructions exceed; null when they fit into one transaction.
 */
export function groupSteps(folded: readonly FoldedStep[], overflow: Overflow): GroupedSteps {
  const whole = [...folded.entries()].reduce(withStep, emptyGroup(null));
  const canSplit = folded.length > 1 || folded.some(isDivisible);
  if (!canSplit || overflow(whole.instructions) === null) return { steps: folded, groups: [whole] };
  const steps: FoldedStep[] = [];
  const groups: StepGroup[] = [];
  let open = emptyGroup(null);
  let fresh = NOTHING_FRESH;
  for (const [index, first] of folded.entries()) {
    let step = rebuilt(first, fresh);
    let extended = withStep(open, [index, step]);
    const split = open.steps.length === 0 ? null : overflow(extended.instructions);
    if (split !== null) {
      groups.push(open);
      step = rebuilt(first, NOTHING_FRESH);
      extended = withStep(emptyGroup(split), [index, step]);
    }
    const parts = isDivisible(step) ? divided(extended, overflow) : [extended];
    groups.push(...parts.slice(0, -1));
    open = parts.at(-1) ?? extended;
    steps.push(step);
    fresh = step.built.fresh;
  }
  return { steps, groups: [...groups, open] };
}

const isDivisible = ({ built }: FoldedStep): boolean => built.action.divisible === true;

/** Cuts a group wherever a transaction is full. Only a group of one step can be too large. */
function divided(group: StepGroup, overflow: Overflow): StepGroup[] {
  if (overflow(group.instructions) === null) return [group];
  const parts: StepGroup[] = [];
  let open: StepGroup = { ...group, instructions: [], owners: [] };
  for (const unit of unitsOf(group)) {
    const extended = [...open.instructions, ...unit.instructions];
    const split = open.instructions.length === 0 ? null : overflow(extended);
    if (split !== null) parts.push(open);
    open =
      split === null
        ? { ...open, instructions: extended, owners: [...open.owners, ...unit.owners] }
        : { ...group, ...unit, split };
  }
  return [...parts, open];
}

type Unit = Pick<StepGroup, 'instructions' | 'owners'>;

/** The parts of a group that cannot be cut: an instruction, with those that must stay with it. */
function unitsOf({ instructions, owners }: StepGroup): Unit[] {
  const ends = instructions.flatMap(({ withNext }, index) => (withNext ? [] : [index + 1]));
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    return { instructions: instructions.slice(start, end), owners: owners.slice(start, end) };
  });
}

const emptyGroup = (split: SplitReason | null): StepGroup => ({
  steps: [],
  instructions: [],
  owners: [],
  split,
});

function withStep(group: StepGroup, [index, { instructions }]: readonly [number, FoldedStep]): StepGroup {
  return {
    ...group,
    steps: [...group.steps, index],
    instructions: [...group.instructions, ...instructions],
    owners: [...group.owners, ...instructions.map(() => index)],
  };
}

function rebuilt(step: FoldedStep, fresh: ReadonlySet<Address>): FoldedStep {
  const isSame = fresh.size === step.fresh.size && [...fresh].every((address) => step.fresh.has(address));
  return isSame ? step : step.rebuild(fresh);
}
