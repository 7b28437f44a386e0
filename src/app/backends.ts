import type { Seasons } from '../config/catalogue/seasons.ts';
import type { Live } from '../live/live.ts';
import { ObligationIndexes } from '../services/obligation-index/obligation-indexes.ts';
import { Platform } from '../services/platform/platform.ts';
import type { TransactionSource } from '../services/platform/transaction-source.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { type AppAccess, startAccess } from './access.ts';
import { type AppAlerts, startAlerts } from './alerts.ts';
import { type AppDrift, startDrift } from './drift.ts';
import { type AppHistoryOptions, startHistory } from './history/start-history.ts';
import { startLive } from './live.ts';
import { quotesOf } from './quotes.ts';

export interface BackendsOptions extends Omit<AppHistoryOptions, 'onStatement' | 'payments'> {
  readonly seasons: Seasons;
  readonly tracing: Tracing | null;
  /** Awaited before any database is opened, including that of the keys. */
  readonly firstViewServed: Promise<void>;
}

/** Everything that requests are answered from, besides the chain. */
export interface Backends {
  readonly access: AppAccess;
  readonly alerts: AppAlerts;
  readonly drift: AppDrift;
  readonly platform: Platform;
  readonly live: Live;
  stop(): Promise<void>;
}

/** A large part of the code: load this module after the first RPC requests have been sent. */
export async function startBackends(options: BackendsOptions): Promise<Backends> {
  const { config, chain, catalogue, logger, metrics, tracing, firstViewServed } = options;
  const access = await startAccess(config, logger, metrics, firstViewServed);
  const onStatement = tracing === null ? undefined : tracing.statementEnded.bind(tracing);
  const history = startHistory({ ...options, onStatement, payments: access.payments });
  const drift = startDrift({ config, chain, catalogue, logger, metrics });
  const transactions: TransactionSource = {
    // A request waits for half of its time at most; ingestion continues in the background.
    ensure: async (address, kind, request) =>
      await history
        .transactions('Transaction history')
        .ensureIngested(address, kind, { ...request, deadlineMs: config.REQUEST_TIMEOUT_MS / 2 }),
  };
  const sending = {
    enabled: config.sending,
    // The rest of the time of a request is for what it reads besides.
    waitMs: config.REQUEST_TIMEOUT_MS * 0.8,
    share: config.SENDING_PER_CLIENT,
    callsPerSecond: config.RESENDS_PER_SECOND,
  };
  const obligations = new ObligationIndexes(config.programs.klend, chain.loans, {
    refreshMs: config.LOAN_INDEX_REFRESH_MS,
    markets: config.LOAN_INDEX_MARKETS,
  });
  const platform = new Platform({
    chain,
    catalogue,
    seasons: options.seasons,
    history: history.source,
    transactions,
    sending,
    obligations,
    quotes: quotesOf(config, options.embedded),
  });
  const alerts = startAlerts({
    config,
    chain,
    platform,
    history: history.source,
    access,
    drift,
    logger,
    metrics,
  });
  return {
    access,
    alerts,
    drift,
    platform,
    live: startLive(config, chain, access, metrics),
    async stop() {
      obligations.stop();
      await alerts.stop();
      await access.stop();
      await drift.stop();
      await history.stop();
    },
  };
}
