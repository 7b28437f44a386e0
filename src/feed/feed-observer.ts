import type { ChainRole } from '../chain/view/view-feed.ts';

/**
 * Why something was not used.
 * - `DEPOSED`: a View of ours, because another process reads by now.
 * - `ALTERED`: changes of ours, because something else wrote to the stream. The View is published whole instead.
 * - `LOST`: changes of ours, because the View before them is gone from Redis, as after a failover. It is published whole instead.
 * - `GAP`: an entry that does not continue the View at hand.
 * - `UNAUTHENTIC`: a message without a valid tag for its place: forged, replayed, truncated or corrupted.
 * - `UNREADABLE`: a genuine message that is malformed or changes another View.
 * - `OLDER`: a View that would take this gateway back.
 * - `STALE`: a snapshot too old for a newcomer.
 * - `IMPLAUSIBLE`: a View whose slot or time the chain cannot have reached.
 * - `EMPTIED`: a View without most of the markets, reserves or vaults of the one before.
 */
export type FeedRefusal =
  | 'DEPOSED'
  | 'ALTERED'
  | 'LOST'
  | 'GAP'
  | 'UNAUTHENTIC'
  | 'UNREADABLE'
  | 'OLDER'
  | 'STALE'
  | 'IMPLAUSIBLE'
  | 'EMPTIED';

/** Receives what happens in a feed, for logs and metrics. */
export interface FeedObserver {
  roleChanged(role: ChainRole): void;
  sent(bytes: number): void;
  received(bytes: number): void;
  snapshotTaken(): void;
  /** A View has positions that were loaded from their snapshot. */
  positionsLoaded(): void;
  refused(reason: FeedRefusal): void;
  /** Redis could not be used. The failure never contains its URL. */
  failed(failure: unknown): void;
}
