import type { Address } from '@solana/kit';
import {
  readLendingEvents,
  type StoredLendingEvent,
} from '../../../store/transactions/read-lending-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';

/** A wallet's lending events, including those of closed obligations. */
export interface WalletLendingEvents {
  /** Oldest first. */
  readonly events: readonly StoredLendingEvent[];
  /** Whether no transaction is missing. */
  readonly complete: boolean;
}

const eventsOf = perSession(() => new Map<Address, Promise<WalletLendingEvents>>());

/**
 * Read once per request, in one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function walletLendingEvents(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<WalletLendingEvents> {
  const known = eventsOf(session);
  const events = known.get(wallet) ?? readEvents(platform, session, wallet);
  known.set(wallet, events);
  return events;
}

async function readEvents(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<WalletLendingEvents> {
  const db = platform.historyFor(session, 'Lending transactions');
  const { complete } = await ensureIngested(platform, session, wallet, 'walletLending');
  const page = { order: 'oldestFirst', limit: null } as const;
  return { events: await readLendingEvents(db, { owner: wallet }, {}, page), complete };
}
