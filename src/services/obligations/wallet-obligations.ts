import type { Address } from '@solana/kit';
import type { ObligationRecord, UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';

/** The wallet's obligations, by address, in one market or in all. */
export async function obligationsOf(
  session: Session,
  wallet: Address,
  market: Address | null,
): Promise<ObligationRecord[]> {
  return (await scannedObligations(session, wallet, market)).records;
}

/** The wallet's obligations, and those that cannot be read. */
export async function scannedObligations(
  session: Session,
  wallet: Address,
  market: Address | null,
): Promise<{ readonly records: ObligationRecord[]; readonly unreadable: UnreadableAccounts }> {
  const { found, unreadable } = await session.obligationsOf(wallet, market);
  return { records: found.sort((a, b) => (a.address < b.address ? -1 : 1)), unreadable };
}
