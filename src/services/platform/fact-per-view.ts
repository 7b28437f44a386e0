import DataLoader from 'dataloader';
import type { View } from '../../chain/view/view.ts';
import type { Database } from '../../store/sql.ts';
import { viewCache } from '../request/per-view.ts';
import type { Session } from '../request/session.ts';
import type { Platform } from './platform.ts';

export interface RecordedFact<S, F> {
  /** Names the fact in the error when there is no history. */
  readonly what: string;
  readonly keyOf: (subject: S) => string;
  /** One fact per subject, in their order. */
  readonly read: (db: Database, view: View, subjects: readonly S[]) => Promise<readonly F[]>;
}

/**
 * A loader of a recorded fact. Caches it per View, so GraphQL, REST and all requests agree, and batches the subjects of
 * one tick into one statement. Failures are not cached. Every session that takes the fact depends on it, also when another
 * one has read it, and draws a row.
 */
export function factPerView<S, F>({
  what,
  keyOf,
  read,
}: RecordedFact<S, F>): (
  platform: Platform,
  session: Pick<Session, 'view' | 'dependsOn' | 'work'>,
) => DataLoader<S, F, string> {
  const ofView = viewCache<DataLoader<S, F, string>>();
  return (platform, session) => {
    session.dependsOn('factOfView');
    const { view, work } = session;
    work.record('rows', 1);
    const cached = ofView.get(view);
    if (cached !== undefined) return cached;
    const loader = new DataLoader<S, F, string>(
      async (subjects) => {
        try {
          return await read(platform.sharedHistory(what), view, subjects);
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
