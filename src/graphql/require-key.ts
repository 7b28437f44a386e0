import { SluiceError } from '../errors/sluice-error.ts';
import type { Allowance } from '../http/allowance.ts';

/**
 * Rejects a caller without an API key.
 *
 * @param what the requested data, for the error message
 * @throws UNAUTHENTICATED
 */
export function requireKey(allowance: Allowance | undefined, what: string): void {
  if ((allowance?.keyId ?? null) !== null) return;
  const reason = `${what} need an API key of the operator: send the key with this request. The operator creates keys with \`npm run keys -- create\``;
  throw new SluiceError('UNAUTHENTICATED', { reason });
}
