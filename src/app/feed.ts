import type { Chain } from '../chain/chain.ts';
import type { WantedAccount } from '../chain/view/kinds.ts';
import type { ViewFeed } from '../chain/view/view-feed.ts';
import type { Config } from '../config/config.ts';
import { FeedChannel } from '../feed/feed-channel.ts';
import { feedName } from '../feed/feed-name.ts';
import type { FeedObserver, FeedRefusal } from '../feed/feed-observer.ts';
import { FeedSeal } from '../feed/feed-seal.ts';
import { FEED_TIMING, type FeedTiming } from '../feed/feed-timing.ts';
import { SharedViews } from '../feed/shared-views.ts';
import { packageVersion } from '../node/package-version.ts';
import { FeedMetrics, SUSPICIOUS_REFUSALS } from '../telemetry/feed-metrics.ts';
import { type DescribeFailure, failureLog, type Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { holderName } from './history/history-settings.ts';

/** A minute of Views at the usual pace. The snapshot is never older than half of them. */
const MAX_ENTRIES = 64;
const SNAPSHOT_EVERY = 32;
const FAILURE_LOG_MS = 60_000;

const SUSPICIOUS: ReadonlySet<FeedRefusal> = new Set(SUSPICIOUS_REFUSALS);

const describeRefusal: DescribeFailure = (reason) => ({
  fields: { reason },
  message: 'a message in Redis was refused: something else than our gateways may write to it',
});

export interface AppFeedOptions {
  readonly config: Config;
  readonly redisUrl: string;
  readonly chain: Chain;
  readonly extra: readonly WantedAccount[];
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly timing?: Partial<FeedTiming> | undefined;
}

/** Views that gateways share over Redis. The Redis client is much code: load this module only if they do. */
export async function createFeed(options: AppFeedOptions): Promise<ViewFeed> {
  const { config, redisUrl, chain, extra, metrics, logger } = options;
  const timing = { ...FEED_TIMING, ...options.timing };
  const name = feedName({
    cluster: config.SOLANA_CLUSTER,
    commitment: config.SOLANA_COMMITMENT,
    programs: config.programs,
    extra,
    version: await packageVersion(),
    secret: config.STREAM_SECRET,
  });
  const seal = new FeedSeal(config.STREAM_SECRET, name);
  const channel = new FeedChannel({
    url: redisUrl,
    name,
    seal,
    leaseMs: timing.leaseMs,
    timeoutMs: timing.redisTimeoutMs,
    maxEntries: MAX_ENTRIES,
  });
  const measured = new FeedMetrics(metrics.registry, () => chain.state().role);
  const onFailure = failureLog(logger, 'sharing Views over Redis failed', FAILURE_LOG_MS);
  const onRefusal = failureLog(logger, describeRefusal, FAILURE_LOG_MS);
  const observer: FeedObserver = {
    roleChanged(role) {
      measured.roleChanged(role);
      logger.info({ role, feed: name }, 'role in sharing Views changed');
    },
    sent: (bytes) => measured.sent(bytes),
    received: (bytes) => measured.received(bytes),
    snapshotTaken: () => measured.snapshotTaken(),
    positionsLoaded() {
      measured.positionsLoaded();
      logger.info({ feed: name }, 'accounts of wallets were loaded from the feed');
    },
    refused(reason) {
      measured.refused(reason);
      if (SUSPICIOUS.has(reason)) onRefusal(reason);
    },
    failed(failure) {
      measured.failed();
      onFailure(failure);
    },
  };
  return new SharedViews({
    chain,
    channel,
    observer,
    seal,
    holder: holderName(),
    snapshotEvery: SNAPSHOT_EVERY,
    refreshMs: config.VIEW_REFRESH_MS,
    timing,
  });
}
