import { atStep, type CodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Action } from '../action.ts';
import type { BuiltInstruction } from '../built-instruction.ts';
import type { FrameOptions } from '../transaction/frame.ts';

/** Most actions of a plan that a caller puts together. */
const MAX_STEPS = 6;

/**
 * Checks what does not depend on accounts. Returns the first action.
 *
 * @param most for a plan whose steps the gateway chooses
 */
export function checkPlan(actions: readonly Action[], most: number = MAX_STEPS): Action {
  checkCount(actions.length, most);
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
export function checkCount(actions: number, most: number = MAX_STEPS): void {
  if (actions === 0) throw refused('a plan needs at least one action');
  if (actions > most) throw refused(`a plan has at most ${most} actions, not ${actions}`);
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

/** Refuses options that put further instructions into the transaction of a step that must be alone in it. */
export function checkCompanions(
  instructions: readonly BuiltInstruction[],
  { memo, durableNonce, tip }: FrameOptions,
): void {
  if (!instructions.some(({ alone }) => alone)) return;
  const reason =
    'a step of the transfer of an obligation shares its transaction with nothing but the compute budget (6182 OnlyComputeBudgetCompanionIxsAllowed); omit it';
  if (memo !== undefined) throw new SluiceError('MEMO_INVALID', { reason });
  if (durableNonce !== undefined) throw new SluiceError('DURABLE_NONCE_INVALID', { reason });
  if (tip !== undefined) throw new SluiceError('TIP_INVALID', { reason });
}

function refused(reason: string): CodedError {
  return new SluiceError('BUILD_REFUSED', { reason });
}
