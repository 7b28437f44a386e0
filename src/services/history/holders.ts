import type { Address } from '@solana/kit';
import type { View } from '../../chain/view.ts';
import { newestHolders } from '../../store/history/newest-holders.ts';
import { onView } from '../per-view.ts';
import type { Platform } from '../platform.ts';
import type { VaultRecord } from '../records.ts';
import { vaultFactPerView } from './per-view.ts';
import { viewTime } from './range.ts';

const loaderOf = vaultFactPerView<number | null>(async (platform, view, vaults) => {
  const db = platform.history.database('The number of holders');
  const counts = await newestHolders(
    db,
    vaults.map(({ address }) => address),
    viewTime(view),
  );
  return vaults.map(({ address }) => counts.get(address) ?? null);
});

export const keepsHistory = ({ history }: Platform): boolean => history.state().status !== 'off';

/**
 * Wallets that hold shares of a vault, by the newest count. Null when they were never counted, and where no history is
 * kept.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function holderCount(
  platform: Platform,
  view: View,
  vault: VaultRecord,
): Promise<number | null> {
  return keepsHistory(platform) ? await loaderOf(platform, view).load(vault) : null;
}

/** Of all vaults of a View, for an order by them. */
export type HolderCounts = ReadonlyMap<Address, number | null>;

const countsOf = onView<HolderCounts>();

/**
 * Counts by View: those of the View that is named, and of earlier ones whose order a cursor goes on with.
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
