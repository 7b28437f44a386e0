import DataLoader from 'dataloader';
import type { EventKey } from '../../store/transactions/event-order.ts';
import { lastEmptied, type WalletVault } from '../../store/transactions/last-emptied.ts';
import type { StoredVaultEvent } from '../../store/transactions/read-vault-events.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { restIngested } from '../transaction-source.ts';

type EmptiedLoader = DataLoader<WalletVault, EventKey | null, string>;

const ofSession = new WeakMap<Session, EmptiedLoader>();

/**
 * Whether a transaction belongs to the position that the wallet has in the vault now: whether it came after the wallet
 * was last without a share. Never true of an investment, which changes nobody's shares, nor after the whole position
 * was given up. Those of a page are one statement.
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
  await restIngested(platform, session, wallet);
  const emptied = await loaderOf(platform, session).load({ wallet, vault });
  return emptied === null || isAfter(event, emptied);
}

function loaderOf(platform: Platform, session: Session): EmptiedLoader {
  const db = platform.history.database('What happened in vaults');
  const known = ofSession.get(session);
  if (known !== undefined) return known;
  const loader: EmptiedLoader = new DataLoader((pairs) => lastEmptied(db, pairs), {
    cacheKeyFn: ({ wallet, vault }) => `${wallet}:${vault}`,
  });
  ofSession.set(session, loader);
  return loader;
}

/** By the order of the store: letters of a signature compare as they are coded. */
function isAfter(a: EventKey, b: EventKey): boolean {
  if (a.slot !== b.slot) return a.slot > b.slot;
  if (a.place !== b.place) return a.place > b.place;
  return a.signature === b.signature ? a.index > b.index : a.signature > b.signature;
}
