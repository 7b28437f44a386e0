import DataLoader from 'dataloader';
import type { View } from '../../chain/view.ts';
import { viewCache } from '../per-view.ts';
import type { Platform } from '../platform.ts';
import type { VaultRecord } from '../records.ts';

/**
 * A loader of a recorded fact about vaults. Caches it per View, so GraphQL, REST and all requests agree, and batches the
 * vaults of one tick into one statement. Failures are not cached.
 */
export function vaultFactPerView<F>(
  work: (platform: Platform, view: View, vaults: readonly VaultRecord[]) => Promise<readonly F[]>,
): (platform: Platform, view: View) => DataLoader<VaultRecord, F, string> {
  const ofView = viewCache<DataLoader<VaultRecord, F, string>>();
  return (platform, view) => {
    const cached = ofView.get(view);
    if (cached !== undefined) return cached;
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
