import { SluiceError } from '../errors/sluice-error.ts';
import { findRecord, type Session } from '../services/records.ts';
import type { ConditionInput } from './condition.ts';
import { ALERT_METRICS } from './metrics.ts';

/** Refuses an alert about an account that does not exist. A wallet need not. @throws the code of the missing account */
export async function checkSubject(
  session: Session,
  { metric, subject }: Pick<ConditionInput, 'metric' | 'subject'>,
): Promise<void> {
  if (subject === undefined || subject === null) return;
  const { view } = session;
  const kind = ALERT_METRICS[metric].subject;
  if (kind === 'vault' && view.get('vault', subject) === undefined)
    throw new SluiceError('KVAULT_NOT_FOUND', { vault: subject });
  if (kind === 'reserve' && view.get('reserve', subject) === undefined)
    throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: subject });
  if (kind === 'obligation' && (await findRecord(session, 'obligation', subject)) === null)
    throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: subject });
}
