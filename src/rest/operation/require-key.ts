import { SluiceError } from '../../errors/sluice-error.ts';
import type { Call } from './operation.ts';

/** Throws unless the caller has sent an API key. A key that is unknown or revoked is refused before. */
export function requireKey({ keyId }: Pick<Call, 'keyId'>): void {
  if (keyId !== null) return;
  const reason = 'This operation needs an API key: send it as Authorization: Bearer or X-Api-Key';
  throw new SluiceError('UNAUTHENTICATED', { reason });
}
