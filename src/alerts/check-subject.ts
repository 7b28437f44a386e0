import type { Address } from '@solana/kit';
import { isCodedError, SluiceError } from '../errors/sluice-error.ts';
import { findRecord } from '../services/request/records.ts';
import type { Session } from '../services/request/session.ts';
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
  if (kind === 'vault' && !isInView(view, kind, subject))
    throw new SluiceError('KVAULT_NOT_FOUND', { vault: subject });
  if (kind === 'reserve' && !isInView(view, kind, subject))
    throw new SluiceError('KLEND_RESERVE_NOT_FOUND', { reserve: subject });
  if (kind === 'obligation' && (await findRecord(session, 'obligation', subject)) === null)
    throw new SluiceError('KLEND_OBLIGATION_NOT_FOUND', { obligation: subject });
}

/** @throws ACCOUNT_MALFORMED for an account that exists and cannot be interpreted */
function isInView(view: Session['view'], kind: 'vault' | 'reserve', address: Address): boolean {
  const found = view.find(kind, address);
  if (isCodedError(found, 'ACCOUNT_MALFORMED')) throw found;
  return found !== undefined && !isCodedError(found);
}
