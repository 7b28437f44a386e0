import { atStep, type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Action } from '../action.ts';

/** Most actions of one plan. */
const MAX_STEPS = 6;

/** Checks what does not depend on accounts. Returns the first action. */
export function checkPlan(actions: readonly Action[]): Action {
  checkCount(actions.length);
  const [first] = actions;
  if (first === undefined) throw refused('it has no actions');
  for (const [step, { wallet }] of actions.entries()) {
    if (wallet === first.wallet) continue;
    atStep(step, () => {
      throw refused(
        `all actions of a plan must be of one wallet; this one is of ${wallet}, not ${first.wallet}`,
      );
    });
  }
  return first;
}

/** Checks the number of actions. */
export function checkCount(actions: number): void {
  if (actions === 0) throw refused('a plan needs at least one action');
  if (actions > MAX_STEPS) throw refused(`a plan has at most ${MAX_STEPS} actions, not ${actions}`);
}

/** Refuses options of the plan that belong to an action. @param names of those given */
export function checkPlanOptions(names: readonly string[]): void {
  const [name] = names;
  if (name !== undefined) throw refused(`${name} is an option of an action, not of the plan`);
}

/** Refuses options of an action that belong to the plan. @param names of the options given */
export function checkStepOptions(step: number, names: readonly string[]): void {
  if (names.length === 0) return;
  atStep(step, () => {
    throw refused(
      `${names.join(', ')}: options of the transactions belong to the plan, not to an action of it`,
    );
  });
}

function refused(reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
