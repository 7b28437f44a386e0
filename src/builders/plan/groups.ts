import { atStep, SluiceError } from '../../errors/sluice-error.ts';
import { nonceForSeveral } from '../transaction/durable-nonce.ts';
import { overflowOf, type PlanInput, planTransactions, type UnsignedTransaction } from './plan.ts';
import type { SplitReason, StepGroup } from './step-groups.ts';

/** A transaction of a plan. */
export interface PlannedTransaction extends UnsignedTransaction {
  /** Indexes of its steps in the plan. */
  readonly steps: readonly number[];
  /** Whether it only prepares accounts for the next transaction. */
  readonly setupOnly: boolean;
  /** Why it is separate from the transaction before it; null for the first. */
  readonly split: SplitReason | null;
  /** The step of each instruction; null for those that belong to the transaction. */
  readonly owners: readonly (number | null)[];
}

/** Compiles the transactions of all groups, in order. */
export function planGroups(
  { groups, isPlan }: { readonly groups: readonly StepGroup[]; readonly isPlan: boolean },
  { closing = [], ...input }: PlanInput,
): PlannedTransaction[] {
  if (groups.length > 1 && input.lifetime.lastValidBlockHeight === null) throw nonceForSeveral();
  const planned = groups.flatMap((group, index) => {
    const own = {
      ...input,
      instructions: group.instructions,
      closing: index === groups.length - 1 ? closing : [],
    };
    const compile = () => planTransactions(own);
    const transactions = isPlan ? atStep(group.steps[0] ?? 0, compile) : compile();
    return transactions.map((transaction, part) => ({
      ...transaction,
      steps: group.steps,
      setupOnly: part < transactions.length - 1 || group.instructions.every(({ setup }) => setup),
      split: part === 0 ? group.split : overflowOf(own),
      owners: ownersOf(transaction, group, own.closing.length),
    }));
  });
  checkDistinct(planned);
  return planned;
}

/** Refuses a plan with the same transaction twice: they have one signature, so the chain would run it only once. */
function checkDistinct(transactions: readonly PlannedTransaction[]): void {
  const seen = new Set<string>();
  for (const { base64, steps } of transactions) {
    if (seen.has(base64)) {
      const reason =
        'its transaction is the same as that of an earlier step, and the chain runs it only once; change the amount, or send it as another plan';
      throw new SluiceError('BUILD_REFUSED', { reason }, { step: steps[0] ?? 0 });
    }
    seen.add(base64);
  }
}

function ownersOf(
  { instructions }: UnsignedTransaction,
  { owners, steps }: StepGroup,
  closing: number,
): (number | null)[] {
  const start = instructions.length - closing - owners.length;
  // A step that is split into its set-up and its action has each transaction to itself.
  return instructions.map((_, index) => (start < 0 ? (steps[0] ?? null) : (owners[index - start] ?? null)));
}
