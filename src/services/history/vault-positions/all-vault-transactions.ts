import { readVaultEvents } from '../../../store/transactions/read-vault-events.ts';
import { fingerprintOf } from '../../paging/paging.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Session } from '../../request/session.ts';
import { resolveRange } from '../../request/time-range.ts';
import { type BulkPage, type BulkRequest, bulkPage } from '../bulk-page.ts';
import type { InstructionFilter } from '../obligations/market-transactions.ts';
import { transactionsOf, type VaultTransaction } from './vault-transactions.ts';

/**
 * Transactions of all vaults by one instruction, newest first. Omits those of vaults that cannot be read.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE, BAD_REQUEST, CURSOR_INVALID
 */
export async function allVaultTransactions(
  platform: Platform,
  session: Session,
  { instruction, range }: InstructionFilter,
  request: BulkRequest,
): Promise<BulkPage<VaultTransaction>> {
  const db = platform.historyFor(session, 'Vault transactions');
  const { start, end } = resolveRange(session.view, range);
  if (session.view.all('vault').size === 0) {
    return { events: [], cursorOf: () => '', next: null, complete: true };
  }
  const { events, cursorOf, ...page } = await bulkPage(
    platform,
    session,
    {
      fingerprint: fingerprintOf(['all vault transactions', instruction, range]),
      address: platform.programs.kvault,
      kind: 'allVaults',
      read: (wanted) => readVaultEvents(db, {}, { instruction, start, end }, wanted),
    },
    request,
  );
  const transactions = await transactionsOf(platform, session, events);
  return {
    ...page,
    events: transactions.flatMap((each) => (each instanceof Error ? [] : each)),
    cursorOf: ({ event }) => cursorOf(event),
  };
}
