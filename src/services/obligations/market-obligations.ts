import type { Address } from '@solana/kit';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';

/**
 * The loans of a market. They are read for all requests together and are not part of the View. A request counts the RPC
 * requests that it has to wait for.
 */
export async function marketObligations(
  platform: Platform,
  session: Session,
  market: Address,
): Promise<ObligationSnapshot> {
  const count = (requests: number) => session.noteRpcCalls(requests);
  return await platform.obligations(session, market).current(session.signal, count);
}
