import type { Address } from '@solana/kit';
import { readLendingEvents } from '../../../store/transactions/read-lending-events.ts';
import { fingerprintOf } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import { type BulkPage, type BulkRequest, bulkPage } from '../bulk-page.ts';
import type { LendingTransaction } from './transactions.ts';

/** One instruction in a range of time. */
export interface InstructionFilter {
  /** Name of the instruction in the interface of its program. */
  readonly instruction: string;
  readonly range: RangeInput;
}

/**
 * Transactions of all obligations of a market by one instruction, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function marketTransactions(
  platform: Platform,
  session: Session,
  market: Address,
  { instruction, range }: InstructionFilter,
  request: BulkRequest,
): Promise<BulkPage<LendingTransaction>> {
  const db = platform.historyFor(session, 'Transactions of a market');
  const { start, end } = resolveRange(session.view, range);
  return await bulkPage(
    platform,
    session,
    {
      fingerprint: fingerprintOf(['market transactions', market, instruction, range]),
      address: market,
      kind: 'market',
      read: (page) => readLendingEvents(db, { market }, { instruction, start, end }, page),
    },
    request,
  );
}
