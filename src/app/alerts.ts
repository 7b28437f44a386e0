import { randomBytes } from 'node:crypto';
import { resolveByDns } from '../alerts/delivery/resolve-public.ts';
import { sendMessage } from '../alerts/delivery/send-message.ts';
import { AlertEngine } from '../alerts/engine.ts';
import { AlertRegistry } from '../alerts/registry.ts';
import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { isCodedError } from '../errors/sluice-error.ts';
import { deadlineSignal } from '../node/deadline.ts';
import { pauseFor } from '../node/pause-for.ts';
import type { HistorySource } from '../services/platform/history-source.ts';
import type { Platform } from '../services/platform/platform.ts';
import { DatabaseLease } from '../store/leases/leadership.ts';
import type { Database } from '../store/sql.ts';
import { AlertMetrics } from '../telemetry/alert-metrics.ts';
import { failureLog, type Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { AppAccess } from './access.ts';
import type { AppDrift } from './drift.ts';
import { holderName } from './history/history-settings.ts';

export interface AppAlerts {
  readonly registry: AlertRegistry;
  stop(): Promise<void>;
}

export interface AppAlertsOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly platform: Platform;
  readonly history: HistorySource;
  readonly access: Pick<AppAccess, 'revokedKeys'>;
  readonly drift: AppDrift;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const FAILURE_LOG_MS = 60_000;
const ATTEMPT_MS = 10_000;
/** Interval of checks for the database: it may be unreachable, and the embedded one is replaced after a crash. */
const DATABASE_POLL_MS = 1_000;

/** The registry as configured. */
export function alertRegistry(config: Config, secret: string | null): AlertRegistry {
  return new AlertRegistry({
    secret,
    perKey: config.ALERTS_PER_KEY,
    total: config.ALERTS_TOTAL,
    minIntervalSeconds: config.ALERT_MIN_INTERVAL_SECONDS,
    retrySeconds: config.ALERT_RETRY_SECONDS,
    rules: { allowPrivate: config.ALERT_PRIVATE_RECEIVERS === 'on' },
  });
}

/** Evaluates and delivers alerts if this deployment has them. One gateway leads, the others stand by. */
export function startAlerts(options: AppAlertsOptions): AppAlerts {
  const { config } = options;
  const secret = masterSecret(config);
  const registry = alertRegistry(config, secret);
  if (secret === null || options.history.state().status === 'off')
    return { registry, stop: () => Promise.resolve() };
  const stopping = new AbortController();
  const running = run(options, registry, secret, stopping.signal);
  return {
    registry,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The alerts of the localnet start over with it, and so may their secret. */
function masterSecret({ ALERT_SECRET, embedded }: Config): string | null {
  if (ALERT_SECRET !== '') return ALERT_SECRET;
  return embedded ? randomBytes(32).toString('base64url') : null;
}

async function run(
  options: AppAlertsOptions,
  registry: AlertRegistry,
  secret: string,
  signal: AbortSignal,
): Promise<void> {
  const engineOn = engineFactory(options, registry, secret);
  let current: Database | null = null;
  let engine: AlertEngine | null = null;
  while (!signal.aborted) {
    const db = openDatabase(options.history);
    if (db !== current) {
      await engine?.stop();
      engine = db && engineOn(db);
      engine?.start();
      current = db;
    }
    await pauseFor(DATABASE_POLL_MS, signal);
  }
  await engine?.stop();
}

/** Null while it is not open. */
function openDatabase(history: HistorySource): Database | null {
  try {
    return history.database('Alerts');
  } catch (error) {
    if (isCodedError(error)) return null;
    throw error;
  }
}

function engineFactory(
  options: AppAlertsOptions,
  registry: AlertRegistry,
  secret: string,
): (db: Database) => AlertEngine {
  const { config, chain, platform, access, drift, logger, metrics } = options;
  const measured = new AlertMetrics(metrics.registry);
  const log = failureLog(logger, 'evaluating or delivering alerts failed; it is tried again', FAILURE_LOG_MS);
  const rules = { allowPrivate: config.ALERT_PRIVATE_RECEIVERS === 'on' };
  return (db) =>
    new AlertEngine({
      db,
      secret,
      leadership: new DatabaseLease({
        db,
        holder: holderName(),
        lease: 'alerts',
        soleProcess: config.embedded,
      }),
      newestView: () => chain.views.newest?.moment.id,
      onView: (listener) => chain.views.onView(listener),
      onChange: (listener) => registry.onChange(listener),
      async inSession(signal, work) {
        using deadline = deadlineSignal(config.REQUEST_TIMEOUT_MS, 'Evaluating alerts', signal);
        return await work(await platform.openSession({ signal: deadline.signal }));
      },
      drift: () => drift.state(),
      revokedKeys: () => access.revokedKeys(),
      send: (message, signal) =>
        sendMessage(message, { rules, resolve: resolveByDns, timeoutMs: ATTEMPT_MS, signal }),
      publicUrl: config.PUBLIC_URL,
      hasExplorer: config.EXPLORER === 'on',
      retrySeconds: config.ALERT_RETRY_SECONDS,
      keepDays: config.ALERT_KEEP_DAYS,
      observer: {
        led: (isLeading) => measured.led(isLeading),
        evaluated: (alerts, ms) => measured.evaluated(alerts, ms),
        crossed: (events) => measured.crossed(events),
        attempted: (outcome) => measured.attempted(outcome),
        pending: (messages) => measured.pending(messages),
        failed(error) {
          measured.failed();
          log(error);
        },
      },
    });
}
