import type { ChainRole } from '../chain/view/view-feed.ts';

/**
 * Why something was not used.
 * - `DEPOSED`: a View of ours, because another process reads by now.
 * - `GAP`: an entry that does not continue the View at hand.
 * - `UNREADABLE`: a message that is truncated or corrupted.
 * - `OLDER`: a View that would take this gateway back.
 */
export type FeedRefusal = 'DEPOSED' | 'GAP' | 'UNREADABLE' | 'OLDER';

/** Receives what happens in a feed, for logs and metrics. */
export interface FeedObserver {
  roleChanged(role: ChainRole): void;
  sent(bytes: number): void;
  received(bytes: number): void;
  snapshotTaken(): void;
  refused(reason: FeedRefusal): void;
  /** Redis could not be used. The failure never contains its URL. */
  failed(failure: unknown): void;
}
