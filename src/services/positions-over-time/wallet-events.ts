import type { Address } from '@solana/kit';
import DataLoader from 'dataloader';
import {
  POSITION_KINDS,
  readVaultEvents,
  type StoredVaultEvent,
} from '../../store/transactions/read-vault-events.ts';
import type { Platform } from '../platform.ts';
import type { Session } from '../records.ts';
import { ingested } from '../transaction-source.ts';

/** What a wallet did with shares of vaults, as far as is known. */
export interface WalletEvents {
  /** By vault, in the order of the chain; up to the View's time. */
  readonly byVault: ReadonlyMap<Address, readonly StoredVaultEvent[]>;
  /** Whether the chain's own list was read back to the wallet's first transaction. */
  readonly complete: boolean;
}

const ofSession = new WeakMap<Session, DataLoader<Address, WalletEvents>>();

/**
 * The events of a wallet in all vaults, read once per request: one statement, however many of its positions are looked
 * at.
 *
 * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
 */
export function walletEvents(platform: Platform, session: Session, wallet: Address): Promise<WalletEvents> {
  const known = ofSession.get(session);
  if (known !== undefined) return known.load(wallet);
  const loader = new DataLoader<Address, WalletEvents>((wallets) =>
    Promise.all(wallets.map((each) => readEvents(platform, session, each))),
  );
  ofSession.set(session, loader);
  return loader.load(wallet);
}

async function readEvents(platform: Platform, session: Session, wallet: Address): Promise<WalletEvents> {
  const db = platform.history.database('The past of a position');
  const { complete } = await ingested(platform, session, wallet, 'walletVaults');
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
