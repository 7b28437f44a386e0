import type { Address } from '@solana/kit';
import type { ObligationSnapshot } from '../obligation-index/index-update.ts';
import type { Platform } from '../platform/platform.ts';
import type { Session } from '../request/session.ts';

/**
 * The loans of a market: those of the View if it has positions. Otherwise they are read for all requests together, and a
 * request counts the RPC requests that it has to wait for.
 */
export async function marketObligations(
  platform: Platform,
  session: Session,
  market: Address,
): Promise<ObligationSnapshot> {
  const inView = await platform.obligationsInView(session, market);
  if (inView !== null) return inView.loans;
  const count = (requests: number) => session.noteRpcCalls(requests);
  return await platform.obligations(session, market).current(session.signal, count);
}
