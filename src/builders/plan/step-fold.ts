import { createAssociatedTokenIdempotent } from '@sluice/protocol/token/instructions';
import type { Address } from '@solana/kit';
import { atStep, isCodedError } from '../../errors/sluice-error.ts';
import { withChanges } from '../account-changes.ts';
import type { Action, BuiltStep, StepContext } from '../action.ts';
import type { BuiltInstruction } from '../built-instruction.ts';
import { programAccount, type ReadAccounts } from '../read-accounts.ts';
import { refuseOnError } from '../warnings.ts';

/** A built step, with the state that it was built on. */
export interface FoldedStep {
  readonly built: BuiltStep;
  /** Without the creation of token accounts that an earlier step has opened. */
  readonly instructions: readonly BuiltInstruction[];
  /** Reserves that were fresh before it. */
  readonly fresh: ReadonlySet<Address>;
  /** Builds the step again, as the first of a transaction or after other ones. */
  readonly rebuild: (fresh: ReadonlySet<Address>) => FoldedStep;
}

/** The steps, or the accounts that must be read before all of them can be built. */
export type FoldAttempt = { readonly built: readonly FoldedStep[] } | { readonly needs: readonly Address[] };

export interface FoldOptions {
  /** Whether a warning of level ERROR rejects the build. */
  readonly strict: boolean;
  /** Whether errors name the step. */
  readonly isPlan: boolean;
}

/**
 * Builds each action on the accounts as the actions before it leave them, as if all were in one transaction. While accounts
 * of a step are missing, the steps after it only contribute the accounts that they are known to need.
 */
export function foldSteps(
  actions: readonly Action[],
  initial: ReadAccounts,
  isRead: (address: Address) => boolean,
  context: Omit<StepContext, 'fresh'>,
  { strict, isPlan }: FoldOptions,
): FoldAttempt {
  const named = <T>(index: number, run: () => T) => (isPlan ? atStep(index, run) : run());
  const steps: FoldedStep[] = [];
  const needs: Address[] = [];
  const opened = new Set<Address>();
  let read = initial;
  let fresh: ReadonlySet<Address> = new Set();
  for (const [index, action] of actions.entries()) {
    const needed = () => action.needed(read);
    const own = needs.length === 0 ? named(index, needed) : asFarAsKnown(needed);
    needs.push(...own.filter((address) => !isRead(address)));
    if (needs.length > 0) continue;
    const step = named(index, () => {
      const folded = foldStep(action, read, context, new Set(opened), fresh);
      if (strict) refuseOnError(folded.built.preview().warnings);
      if (index < actions.length - 1) read = withChanges(read, folded.built.after());
      return folded;
    });
    steps.push(step);
    fresh = step.built.fresh;
    for (const address of step.instructions.map(openedBy)) if (address !== null) opened.add(address);
  }
  return needs.length > 0 ? { needs } : { built: steps };
}

function foldStep(
  action: Action,
  read: ReadAccounts,
  context: Omit<StepContext, 'fresh'>,
  opened: ReadonlySet<Address>,
  fresh: ReadonlySet<Address>,
): FoldedStep {
  const built = action.build(read, { ...context, fresh });
  const isOpen = (address: Address | null) =>
    address !== null && opened.has(address) && programAccount(read, address) !== null;
  return {
    built,
    instructions: built.action.instructions.filter((each) => !isOpen(openedBy(each))),
    fresh,
    rebuild: (others) => foldStep(action, read, context, opened, others),
  };
}

/** The token account that an instruction creates unless it exists. */
function openedBy({ name, accounts }: BuiltInstruction): Address | null {
  return name === createAssociatedTokenIdempotent.name ? (accounts[1]?.address ?? null) : null;
}

/** The needs of a step whose state is not known yet; empty when they depend on that state. */
function asFarAsKnown(needed: () => readonly Address[]): readonly Address[] {
  try {
    return needed();
  } catch (error) {
    if (isCodedError(error)) return [];
    throw error;
  }
}
