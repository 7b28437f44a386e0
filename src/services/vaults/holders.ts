import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { newestHolders } from '../../store/history/newest-holders.ts';
import { byAddress, factPerView } from '../platform/fact-per-view.ts';
import type { Platform } from '../platform/platform.ts';
import { viewCache } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';

const loaderOf = factPerView<VaultRecord, number | null>({
  what: 'Holder counts',
  keyOf: byAddress,
  async read(db, view, vaults) {
    const counts = await newestHolders(
      db,
      vaults.map(({ address }) => address),
      viewTime(view),
    );
    return vaults.map(({ address }) => counts.get(address) ?? null);
  },
});

/**
 * Wallets that hold shares of a vault: in the View if it has positions, else by the latest recorded count, which is null
 * when they were never counted, and without history.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function holderCount(
  platform: Platform,
  session: Session,
  vault: VaultRecord,
): Promise<number | null> {
  const { view } = session;
  if (view.positions !== null) return await platform.residentHolders.of(view, view.positions, vault);
  return platform.recordsHistory ? await loaderOf(platform, session).load(vault) : null;
}

/** Holder counts of all vaults of a View, for sorting. */
export type HolderCounts = ReadonlyMap<Address, number | null>;

const countsOf = viewCache<HolderCounts>();

/**
 * Holder counts by View: those of the given View, and of earlier ones whose order a cursor continues.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function holderCounts(
  platform: Platform,
  session: Session,
): Promise<(of: View) => HolderCounts> {
  const { view } = session;
  const vaults = [...view.all('vault').values()];
  const counts = await Promise.all(vaults.map((vault) => holderCount(platform, session, vault)));
  const current = new Map(vaults.map(({ address }, i) => [address, counts[i] ?? null]));
  countsOf.set(view, current);
  return (of) => countsOf.get(of) ?? current;
}
