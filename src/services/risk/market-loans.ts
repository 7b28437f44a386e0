import type { Address } from '@solana/kit';
import type { LoanSnapshot } from '../loan-index/loan-update.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';

/**
 * The loans of a market. They are read for all requests together and are not part of the View. A request counts the RPC
 * requests that it has to wait for.
 */
export async function loansOf(platform: Platform, session: Session, market: Address): Promise<LoanSnapshot> {
  const count = (requests: number) => session.noteRpcCalls(requests);
  count(0);
  return await platform.loans.of(market).current(session.signal, count);
}
