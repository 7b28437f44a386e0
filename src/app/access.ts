import type { Config } from '../config/config.ts';
import type { Admission, PageAdmission } from '../http/allowance.ts';
import type { IdleConnectionsOptions } from '../http/idle-connections.ts';
import type { CallPayments } from '../ingest/source.ts';
import { KeyRing } from '../limits/keys/key-ring.ts';
import { keyStoreFor } from '../limits/keys/key-store-for.ts';
import { MemoryWindow } from '../limits/memory-window.ts';
import { addressOf, clientNetwork, Networks } from '../limits/network-address.ts';
import { PageLimit, pageLimitFor } from '../limits/page-limit.ts';
import { RateLimit } from '../limits/rate-limit.ts';
import type { Window } from '../limits/window.ts';
import { StreamTokens } from '../live/stream-token.ts';
import { LimitMetrics } from '../telemetry/limit-metrics.ts';
import { failureLog, type Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** Keys and rate limits. */
export interface AppAccess {
  readonly admission: Admission;
  /** Charges callers for transactions that are read for them. */
  readonly payments: CallPayments;
  readonly pages: PageAdmission;
  /** Registers a listener that is called each time the keys have been read; returns a function that removes it. */
  onKeysRead(listener: () => void): () => void;
  /** Ids of the keys that were revoked. */
  revokedKeys(): readonly string[];
  stop(): Promise<void>;
}

const FAILURE_LOG_MS = 60_000;

/** @param firstViewServed awaited before keys are read from a database, unless every request needs a key */
export async function startAccess(
  config: Config,
  logger: Logger,
  metrics: Metrics,
  firstViewServed: Promise<void>,
): Promise<AppAccess> {
  const measured = new LimitMetrics(metrics.registry);
  const keys = new KeyRing(
    keyStoreFor(config),
    failureLog(logger, 'reading the keys failed; the keys already known stay valid', FAILURE_LOG_MS),
  );
  const isUrgent = config.DATABASE_URL === null || config.REQUIRE_KEY === 'on';
  let stopped = false;
  const started = isUrgent ? keys.start() : firstViewServed.then(() => (stopped ? undefined : keys.start()));
  const { window, stop } = await windowFor(config, logger, measured);
  const trust = { proxies: new Networks(config.TRUSTED_PROXIES), header: config.PROXY_HEADER };
  const limit = pageLimitFor(config.RATE_LIMIT);
  const pages = new PageLimit({ window, trust, limit, metrics: measured });
  const admission = new RateLimit({
    window,
    keys,
    trust,
    limit: config.RATE_LIMIT,
    requireKey: config.REQUIRE_KEY === 'on',
    publicOrigin: config.PUBLIC_URL === null ? null : new URL(config.PUBLIC_URL).origin,
    tokens: new StreamTokens(config.STREAM_SECRET),
    metrics: measured,
  });
  return {
    admission,
    payments: admission,
    pages,
    onKeysRead: (listener) => keys.onRead(listener),
    revokedKeys: () => keys.revoked(),
    async stop() {
      stopped = true;
      stop();
      await started;
      await keys.stop();
    },
  };
}

/** Idle connections that one client network may have. Far more than browsers and pools of clients leave open. */
const IDLE_CONNECTIONS = 100;
const IDLE_GRACE_MS = 2_000;

/** The bound on idle connections as configured. Those of trusted proxies serve many clients and are not counted. */
export function idleConnections({ TRUSTED_PROXIES }: Config): IdleConnectionsOptions {
  const proxies = new Networks(TRUSTED_PROXIES);
  return {
    perNetwork: IDLE_CONNECTIONS,
    graceMs: IDLE_GRACE_MS,
    networkOf(peer) {
      const address = addressOf(peer);
      if (address === undefined) return '';
      return proxies.has(address) ? null : clientNetwork(address);
    },
  };
}

interface RunningWindow {
  readonly window: Window;
  readonly stop: () => void;
}

async function windowFor(
  { REDIS_URL }: Config,
  logger: Logger,
  measured: LimitMetrics,
): Promise<RunningWindow> {
  if (REDIS_URL === null) return { window: new MemoryWindow(), stop: () => undefined };
  // Loaded only here: the Redis client is as much code as the chain reader.
  const { SharedWindow } = await import('../limits/shared-window.ts');
  const shared = new SharedWindow({
    url: REDIS_URL,
    onLost(failure) {
      measured.sharedLimitsLost();
      logger.warn({ err: failure }, 'Redis is unreachable: each gateway limits on its own');
    },
    onRecovered: () => logger.info('Redis is reachable again: limits are shared'),
  });
  measured.watchShared(() => shared.isShared);
  return { window: shared, stop: () => shared.stop() };
}
