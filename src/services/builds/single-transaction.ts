import type { UnsignedTransaction } from '../../builders/plan/plan.ts';
import type { StepGroup } from '../../builders/plan/step-groups.ts';
import { isCodedError, SluiceError } from '../../errors/sluice-error.ts';
import type { Session } from '../request/session.ts';
import type { PreparedBuild } from './builds.ts';
import { transactionsOf } from './results.ts';

/**
 * Compiles the action as one transaction, for responses that contain only one. Set-up cannot be split off and a
 * claim cannot be divided, so an action that does not fit throws TRANSACTION_SIZE_ERROR with the total size.
 */
export async function singleTransactionOf(
  session: Session,
  prepared: PreparedBuild,
): Promise<UnsignedTransaction> {
  const instructions = prepared.instructions.map((each) => ({ ...each, setup: false }));
  const whole: StepGroup = {
    steps: prepared.steps.map((_, index) => index),
    instructions,
    owners: prepared.groups.flatMap(({ owners }) => owners),
    split: null,
  };
  try {
    const [only] = await transactionsOf(session, { ...prepared, instructions, groups: [whole] });
    if (only === undefined) throw new RangeError('a plan has at least one transaction');
    return only;
  } catch (error) {
    const isClaim = prepared.steps.some(({ kind }) => kind === 'CLAIM_REWARDS');
    if (!isClaim || !isCodedError(error, 'TRANSACTION_SIZE_ERROR')) throw error;
    throw new SluiceError('TRANSACTION_SIZE_ERROR', { ...error.context, isClaim }, { cause: error });
  }
}
