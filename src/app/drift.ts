import type { Chain } from '../chain/chain.ts';
import type { Catalogue } from '../config/catalogue/catalogue.ts';
import type { Config } from '../config/config.ts';
import { type DriftState, DriftWatch } from '../drift/drift-watch.ts';
import { DriftMetrics } from '../telemetry/drift-metrics.ts';
import { failureLog, type Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface AppDrift {
  /** Null if drift detection is off. */
  state(): DriftState | null;
  stop(): Promise<void>;
}

export interface AppDriftOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const FAILURE_LOG_MS = 600_000;

/** Compares our numbers with those that the chain stores, unless DRIFT_INTERVAL_MS is 0. */
export function startDrift({ config, chain, catalogue, logger, metrics }: AppDriftOptions): AppDrift {
  const { DRIFT_INTERVAL_MS: intervalMs } = config;
  if (intervalMs === 0) return { state: () => null, stop: () => Promise.resolve() };
  const failed = failureLog(logger, 'drift check failed', FAILURE_LOG_MS);
  const watch: DriftWatch = new DriftWatch({
    chain,
    catalogue,
    intervalMs,
    onAlarm: (alarms) => logger.warn({ alarms }, 'computed numbers differ from those on chain'),
    onFailure: (error) => {
      measured.failed();
      failed(error);
    },
  });
  const measured = new DriftMetrics(metrics.registry, () => watch.state());
  watch.start();
  return watch;
}
