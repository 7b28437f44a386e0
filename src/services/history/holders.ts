import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import { newestHolders } from '../../store/history/newest-holders.ts';
import { viewCache } from '../per-view.ts';
import type { Platform } from '../platform.ts';
import type { VaultRecord } from '../records.ts';
import { byAddress, factPerView } from './per-view.ts';
import { viewTime } from './range.ts';

const loaderOf = factPerView<VaultRecord, number | null>(byAddress, async (platform, view, vaults) => {
  const db = platform.history.database('Holder counts');
  const counts = await newestHolders(
    db,
    vaults.map(({ address }) => address),
    viewTime(view),
  );
  return vaults.map(({ address }) => counts.get(address) ?? null);
});

export const hasHistory = ({ history }: Platform): boolean => history.state().status !== 'off';

/**
 * Wallets that hold shares of a vault, by the latest count. Null when they were never counted, and without history.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function holderCount(
  platform: Platform,
  view: View,
  vault: VaultRecord,
): Promise<number | null> {
  return hasHistory(platform) ? await loaderOf(platform, view).load(vault) : null;
}

/** Holder counts of all vaults of a View, for sorting. */
export type HolderCounts = ReadonlyMap<Address, number | null>;

const countsOf = viewCache<HolderCounts>();

/**
 * Holder counts by View: those of the given View, and of earlier ones whose order a cursor continues.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function holderCounts(platform: Platform, view: View): Promise<(of: View) => HolderCounts> {
  const vaults = [...view.all('vault').values()];
  const counts = await Promise.all(vaults.map((vault) => holderCount(platform, view, vault)));
  const current = new Map(vaults.map(({ address }, i) => [address, counts[i] ?? null]));
  countsOf.set(view, current);
  return (of) => countsOf.get(of) ?? current;
}
