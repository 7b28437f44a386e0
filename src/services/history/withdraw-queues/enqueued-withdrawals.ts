import type { Address } from '@solana/kit';
import { isCodedError } from '../../../errors/sluice-error.ts';
import { readQueueEvents } from '../../../store/transactions/read-queue-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import { loadRecords, type RecordOf } from '../../request/records.ts';
import type { Session } from '../../request/session.ts';
import { holdsCollateral } from '../../reserves/withdraw-tickets.ts';
import { QUEUE_WHAT, type QueueTransaction } from './queue-transactions.ts';

/** The most entries in an answer. */
export const MAX_ENQUEUED = 1_000;
/** Tickets that are read at a time. */
const TICKETS_AT_A_TIME = 500;

/**
 * Entries into withdraw queues with collateral tokens that a vault paid, newest first, whose tickets still wait: the newest
 * 1,000. Payments and cancellations may be unknown, so the tickets themselves are read from the chain.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function enqueuedWithdrawals(
  platform: Platform,
  session: Session,
  vault: Address,
): Promise<readonly QueueTransaction[]> {
  const db = platform.historyFor(session, QUEUE_WHAT);
  await ensureIngested(platform, session, vault, 'vault');
  const waiting: QueueTransaction[] = [];
  for (let after: QueueTransaction | null = null; waiting.length < MAX_ENQUEUED; ) {
    const page: readonly QueueTransaction[] = await readQueueEvents(
      db,
      { vault },
      { kinds: ['enqueue'], isOpen: true },
      { order: 'newestFirst', limit: TICKETS_AT_A_TIME, after },
    );
    const tickets = await loadRecords(
      session,
      'withdrawTicket',
      page.map(({ ticket }) => ticket),
    );
    waiting.push(...page.filter((_, i) => isWaiting(tickets[i])));
    after = page.at(-1) ?? null;
    if (page.length < TICKETS_AT_A_TIME || after === null) break;
  }
  return waiting.slice(0, MAX_ENQUEUED);
}

/** A ticket is closed when it was paid or recovered, and empty when it was cancelled. */
function isWaiting(ticket: RecordOf<'withdrawTicket'> | Error | undefined): boolean {
  if (isCodedError(ticket, 'ACCOUNT_NOT_FOUND') || isCodedError(ticket, 'ACCOUNT_WRONG_OWNER')) return false;
  if (ticket === undefined || ticket instanceof Error)
    throw ticket ?? new RangeError('a ticket without its read');
  return holdsCollateral(ticket);
}
