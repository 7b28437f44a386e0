import type { UnsignedTransaction } from '../builders/plan.ts';
import { transactionsOf } from './build-results.ts';
import type { PreparedBuild } from './builds.ts';
import type { Session } from './records.ts';

/**
 * The action as one transaction, for answers that have room for one. Set-up that would have to go ahead is held to the
 * action, so what does not fit as a whole is refused with the size of the whole.
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
