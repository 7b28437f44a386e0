import type { Chain } from '../chain/chain.ts';
import type { Config } from '../config/config.ts';
import { type DriftState, DriftWatch } from '../drift/drift-watch.ts';
import type { Catalogue } from '../store/catalogue/catalogue.ts';
import { DriftMetrics } from '../telemetry/drift-metrics.ts';
import { failureLog, type Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

export interface AppDrift {
  /** Null when nothing is compared. */
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

/** Compares our numbers with the chain's from the first View on, if this deployment wants that. */
export function startDrift({ config, chain, catalogue, logger, metrics }: AppDriftOptions): AppDrift {
  const { DRIFT_INTERVAL_MS: intervalMs } = config;
  if (intervalMs === 0) return { state: () => null, stop: () => Promise.resolve() };
  const failed = failureLog(logger, 'comparing with the chain failed', FAILURE_LOG_MS);
  const watch: DriftWatch = new DriftWatch({
    chain,
    catalogue,
    intervalMs,
    onAlarm: (alarms) => logger.warn({ alarms }, 'our numbers are not the chain’s'),
    onUpgrade: (upgrade) => logger.warn({ upgrade }, 'a program was deployed anew'),
    onFailure: (error) => {
      measured.failed();
      failed(error);
    },
  });
  const measured = new DriftMetrics(metrics.registry, () => watch.state());
  watch.start();
  return watch;
}
