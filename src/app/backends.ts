import type { Live } from '../live/live.ts';
import { Platform } from '../services/platform.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import { type AppAccess, startAccess } from './access.ts';
import { type AppDrift, startDrift } from './drift.ts';
import { type AppHistoryOptions, startHistory } from './history/start-history.ts';
import { startLive } from './live.ts';

export interface AppBehindOptions extends Omit<AppHistoryOptions, 'onStatement'> {
  readonly tracing: Tracing | null;
  /** What goes before opening a database, that of keys as well. */
  readonly after: Promise<void>;
}

/** What is behind the faces, beside the chain. */
export interface AppBehind {
  readonly access: AppAccess;
  readonly drift: AppDrift;
  readonly platform: Platform;
  /** What subscribers are served with. */
  readonly live: Live;
  stop(): Promise<void>;
}

/** Starts it. It is much code, so whoever starts a gateway asks the chain before loading this. */
export async function startBehind(options: AppBehindOptions): Promise<AppBehind> {
  const { config, chain, catalogue, logger, metrics, tracing, after } = options;
  const access = await startAccess(config, logger, metrics, after);
  const onStatement = tracing === null ? undefined : tracing.statementEnded.bind(tracing);
  const history = startHistory({ ...options, onStatement });
  const drift = startDrift({ config, chain, catalogue, logger, metrics });
  const platform = new Platform(chain, catalogue, history.source, {
    // Half of a request's time is for reading; what is not read by then goes on behind it.
    ensure: async (address, kind, signal, enough) =>
      await history
        .transactions('What happened in the past')
        .ensureIngested(address, kind, { deadlineMs: config.REQUEST_TIMEOUT_MS / 2, signal, enough }),
  });
  return {
    access,
    drift,
    platform,
    live: startLive(config, chain, metrics),
    async stop() {
      await access.stop();
      await drift.stop();
      await history.stop();
    },
  };
}
