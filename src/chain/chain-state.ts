import type { EndpointStatus } from '@sluice/rpc-pool';
import type { PositionsSummary } from './positions/resident-scans.ts';
import type { StreamState } from './sources/geyser/stream-events.ts';
import type { Kind } from './view/kinds.ts';
import type { ChainRole } from './view/view-feed.ts';

export interface ChainState {
  readonly endpoints: readonly EndpointStatus[];
  /** Kinds of accounts whose changes are announced; the others are polled. */
  readonly announcedKinds: readonly Kind[];
  readonly role: ChainRole;
  /** Null where no stream is configured. */
  readonly stream: StreamState | null;
  /** Of the newest View; null while it has no positions. */
  readonly positions: PositionsSummary | null;
  /** Why there is no View or no newer one; null while refreshes succeed. */
  readonly trouble: string | null;
}
