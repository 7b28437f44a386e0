import DataLoader from 'dataloader';
import type { View } from '../../chain/view.ts';
import { viewCache } from '../per-view.ts';
import type { Platform } from '../platform.ts';

/**
 * A loader of a recorded fact. Caches it per View, so GraphQL, REST and all requests agree, and batches the subjects of
 * one tick into one statement. Failures are not cached.
 */
export function factPerView<S, F>(
  keyOf: (subject: S) => string,
  work: (platform: Platform, view: View, subjects: readonly S[]) => Promise<readonly F[]>,
): (platform: Platform, view: View) => DataLoader<S, F, string> {
  const ofView = viewCache<DataLoader<S, F, string>>();
  return (platform, view) => {
    const cached = ofView.get(view);
    if (cached !== undefined) return cached;
    const loader = new DataLoader<S, F, string>(
      async (subjects) => {
        try {
          return await work(platform, view, subjects);
        } catch (error) {
          for (const subject of subjects) loader.clear(subject);
          throw error;
        }
      },
      { cacheKeyFn: keyOf },
    );
    ofView.set(view, loader);
    return loader;
  };
}

/** The key of an account. */
export const byAddress = ({ address }: { readonly address: string }): string => address;
