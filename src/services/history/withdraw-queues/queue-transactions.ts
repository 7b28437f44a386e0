import {
  cancelWithdrawTicket,
  enqueueToWithdraw,
  recoverInvalidTicketCollateral,
  withdrawQueuedLiquidity,
} from '@sluice/protocol/klend/withdraw-queue-instructions';
import type { QueueEventKind } from '@sluice/protocol/transactions/events';
import type { Address } from '@solana/kit';
import {
  countQueueEvents,
  readQueueEvents,
  type StoredQueueEvent,
} from '../../../store/transactions/read-queue-events.ts';
import { fingerprintOf, type Page, type PageRequest } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested, ensureIngestedUntil, isPageKnown } from '../../platform/transaction-source.ts';
import type { Session } from '../../request/session.ts';
import { type RangeInput, resolveRange } from '../../request/time-range.ts';
import { type BulkPage, type BulkRequest, bulkPage } from '../bulk-page.ts';
import { eventWindow, writeEventCursor } from '../transaction-cursor.ts';

export type QueueTransaction = StoredQueueEvent;

/** A page of transactions of withdraw queues. `complete`: whether all of them are known. */
export interface QueueTransactionPage extends Page<QueueTransaction> {
  readonly complete: boolean;
}

export const QUEUE_WHAT = 'Transactions of withdraw queues';

/** Name of the instruction in the lending program's interface. */
export const QUEUE_INSTRUCTIONS: Readonly<Record<QueueEventKind, string>> = {
  enqueue: enqueueToWithdraw.name,
  withdraw: withdrawQueuedLiquidity.name,
  cancel: cancelWithdrawTicket.name,
  recover: recoverInvalidTicketCollateral.name,
};

/** The kind of an instruction; null for one that is not of withdraw queues. */
export function queueKindOf(instruction: string): QueueEventKind | null {
  const kinds = Object.keys(QUEUE_INSTRUCTIONS) as readonly QueueEventKind[];
  return kinds.find((kind) => QUEUE_INSTRUCTIONS[kind] === instruction) ?? null;
}

/**
 * Transactions with the tickets of a wallet, in one market or in all, newest first. Each of them names the wallet, also one
 * that somebody else has paid for.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, CURSOR_INVALID, NUMBER_OUT_OF_RANGE
 */
export async function walletQueueTransactions(
  platform: Platform,
  session: Session,
  wallet: Address,
  market: Address | null,
  request: PageRequest,
): Promise<QueueTransactionPage> {
  const db = platform.historyFor(session, QUEUE_WHAT);
  const scope = { wallet, market };
  const fingerprint = fingerprintOf(['queue transactions', scope]);
  const window = eventWindow(request, fingerprint);
  const read = () => readQueueEvents(db, scope, {}, window.page);
  const { complete } = window.backwards
    ? await ensureIngested(platform, session, wallet, 'walletQueue')
    : await ensureIngestedUntil(platform, session, wallet, 'walletQueue', (known) =>
        isPageKnown(known, window.page.limit, read),
      );
  const [found, totalCount] = await Promise.all([read(), countQueueEvents(db, scope, {})]);
  const { items, ...more } = window.cut(found);
  return {
    items: items.map((item) => ({ cursor: writeEventCursor(item, fingerprint), item })),
    ...more,
    totalCount,
    complete,
  };
}

/**
 * Transactions with the tickets of a market by one instruction, newest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function marketQueueTransactions(
  platform: Platform,
  session: Session,
  market: Address,
  { kind, range }: { readonly kind: QueueEventKind; readonly range: RangeInput },
  request: BulkRequest,
): Promise<BulkPage<QueueTransaction>> {
  const db = platform.historyFor(session, QUEUE_WHAT);
  const { start, end } = resolveRange(session.view, range);
  return await bulkPage(
    platform,
    session,
    {
      fingerprint: fingerprintOf(['market queue transactions', market, kind, range]),
      address: market,
      kind: 'market',
      read: (page) => readQueueEvents(db, { market }, { kinds: [kind], start, end }, page),
    },
    request,
  );
}

/**
 * All transactions with the tickets of a wallet, oldest first.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function allQueueTransactions(
  platform: Platform,
  session: Session,
  wallet: Address,
): Promise<readonly QueueTransaction[]> {
  const db = platform.historyFor(session, QUEUE_WHAT);
  await ensureIngested(platform, session, wallet, 'walletQueue');
  return await readQueueEvents(db, { wallet }, {}, { order: 'oldestFirst', limit: null });
}
