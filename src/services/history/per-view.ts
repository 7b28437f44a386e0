import DataLoader from 'dataloader';
import type { View } from '../../chain/view.ts';
import { onView } from '../per-view.ts';
import type { Platform } from '../platform.ts';
import type { VaultRecord } from '../records.ts';

/**
 * A recorded fact about vaults, worked out once per View, so that both faces and all requests tell the same: those that
 * are asked for in one tick with one statement. What fails is tried again.
 */
export function vaultFactPerView<F>(
  work: (platform: Platform, view: View, vaults: readonly VaultRecord[]) => Promise<readonly F[]>,
): (platform: Platform, view: View) => DataLoader<VaultRecord, F, string> {
  const ofView = onView<DataLoader<VaultRecord, F, string>>();
  return (platform, view) => {
    const known = ofView.get(view);
    if (known !== undefined) return known;
    const loader = new DataLoader<VaultRecord, F, string>(
      async (vaults) => {
        try {
          return await work(platform, view, vaults);
        } catch (error) {
          for (const vault of vaults) loader.clear(vault);
          throw error;
        }
      },
      { cacheKeyFn: ({ address }) => address },
    );
    ofView.set(view, loader);
    return loader;
  };
}
