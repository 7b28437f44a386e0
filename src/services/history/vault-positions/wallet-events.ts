import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import {
  POSITION_KINDS,
  readVaultEvents,
  type StoredVaultEvent,
} from '../../../store/transactions/read-vault-events.ts';
import type { Platform } from '../../platform/platform.ts';
import { ensureIngested } from '../../platform/transaction-source.ts';
import { perSession } from '../../request/per-session.ts';
import type { Session } from '../../request/session.ts';

/** A wallet's known events with vault shares. */
export interface WalletEvents {
  /** By vault, in chain order, up to the View's time. */
  readonly byVault: ReadonlyMap<Address, readonly StoredVaultEvent[]>;
  /** Whether the transactions were read back to the wallet's first one. */
  readonly complete: boolean;
}

const loaderOf = perSession(
  (session, platform: Platform) =>
    new DataLoader<Address, WalletEvents>((wallets) =>
      Promise.all(wallets.map((each) => readEvents(platform, session, each))),
    ),
);

/**
 * The events of a wallet in all vaults, read once per request in one statement.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function walletEvents(platform: Platform, session: Session, wallet: Address): Promise<WalletEvents> {
  return loaderOf(session, platform).load(wallet);
}

async function readEvents(platform: Platform, session: Session, wallet: Address): Promise<WalletEvents> {
  const db = platform.historyFor(session, 'Position history');
  const { complete } = await ensureIngested(platform, session, wallet, 'walletVaults');
  const events = await readVaultEvents(
    db,
    { wallet },
    { kinds: POSITION_KINDS },
    { order: 'oldestFirst', limit: null },
  );
  const now = Number(session.view.moment.timestamp);
  const byVault = new Map<Address, StoredVaultEvent[]>();
  for (const event of events) {
    if (event.time > now) continue;
    const list = byVault.get(event.vault);
    if (list === undefined) byVault.set(event.vault, [event]);
    else list.push(event);
  }
  return { byVault, complete };
}
