import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { Live } from '../live/live.ts';
import { LiveMetrics } from '../telemetry/live-metrics.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AppAccess } from './access.ts';

/** Subscriptions of a gateway, fed by its Views. */
export function startLive(
  config: Config,
  chain: Chain,
  access: Pick<AppAccess, 'onKeysRead'>,
  metrics: Metrics,
): Live {
  const observer = new LiveMetrics(metrics.registry);
  const live = new Live({
    limits: {
      streams: config.MAX_STREAMS,
      streamsPerClient: config.MAX_STREAMS_PER_CLIENT,
      stallMs: config.STREAM_STALL_MS,
    },
    onView: (listener) => chain.views.onView(listener),
    onKeysRead: (listener) => access.onKeysRead(listener),
    readTimeoutMs: config.REQUEST_TIMEOUT_MS,
    observer,
  });
  observer.watch(() => live);
  return live;
}
