import DataLoader from 'dataloader';
import type { Database } from '../../../store/sql.ts';
import type { EventKey } from '../../../store/transactions/event-order.ts';
import { lastEmptied, type WalletVault } from '../../../store/transactions/last-emptied.ts';
import type { StoredVaultEvent } from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureRestIngested } from '../../platform/transaction-source.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';

type EmptiedLoader = DataLoader<WalletVault, EventKey | null, string>;

const loaderOf = perSession(
  (_, db: Database): EmptiedLoader =>
    new DataLoader((pairs) => lastEmptied(db, pairs), {
      cacheKeyFn: ({ wallet, vault }) => `${wallet}:${vault}`,
    }),
);

/**
 * Whether a transaction belongs to the wallet's current position in the vault, that is, happened after the wallet last
 * had no shares. False for an investment, which changes no shares, and after a full exit. Batches the transactions of a
 * page into one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export async function isLatestPosition(
  platform: Platform,
  session: Session,
  event: StoredVaultEvent,
): Promise<boolean> {
  if (event.kind === 'invest') return false;
  const { wallet, vault } = event;
  await ensureRestIngested(platform, session, wallet);
  const db = platform.historyFor(session, 'Vault transactions');
  const emptied = await loaderOf(session, db).load({ wallet, vault });
  return emptied === null || isAfter(event, emptied);
}

/** The order of the store: signatures compare by code unit. */
function isAfter(a: EventKey, b: EventKey): boolean {
  if (a.slot !== b.slot) return a.slot > b.slot;
  if (a.place !== b.place) return a.place > b.place;
  return a.signature === b.signature ? a.index > b.index : a.signature > b.signature;
}
