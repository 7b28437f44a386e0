import type { UnsignedTransaction } from '../builders/plan.ts';
import { transactionsOf } from './build-results.ts';
import type { PreparedBuild } from './builds.ts';
import type { Session } from './records.ts';

/**
 * Compiles the action as one transaction, for responses that contain only one. Set-up cannot be split off, so an action
 * that does not fit throws TRANSACTION_SIZE_ERROR with the total size.
 */
export async function singleTransactionOf(
  session: Session,
  prepared: PreparedBuild,
): Promise<UnsignedTransaction> {
  const { build } = prepared;
  const instructions = build.action.instructions.map((each) => ({ ...each, setup: false }));
  const whole = { ...prepared, build: { ...build, action: { ...build.action, instructions } } };
  const [only] = await transactionsOf(session, whole);
  if (only === undefined) throw new RangeError('a plan has at least one transaction');
  return only;
}
