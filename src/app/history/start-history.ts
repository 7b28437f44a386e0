import { SluiceError } from '../../errors/sluice-error.ts';
import type { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import { type HistorySource, NO_HISTORY } from '../../services/platform/history-source.ts';
import type { AppHistoryOptions } from './history-options.ts';
import { RunningHistory } from './running-history.ts';

export type { AppHistoryOptions } from './history-options.ts';
export { holderName, retentionOf } from './history-settings.ts';

/** Recorded history and transaction ingestion. */
export interface AppHistory {
  readonly source: HistorySource;
  /**
   * Ingests transactions on demand.
   *
   * @param what names the requested fact in the error
   * @throws HISTORY_DISABLED, HISTORY_STARTING, HISTORY_UNAVAILABLE
   */
  transactions(what: string): PlatformIngestion;
  stop(): Promise<void>;
}

/** Starts history as configured. The gateway answers meanwhile; history reports its own state. */
export function startHistory(options: AppHistoryOptions): AppHistory {
  const { config, embedded } = options;
  // No other process could record the localnet.
  const none = embedded === null ? config.DATABASE_URL === null : config.RECORDER === 'none';
  if (none) {
    return {
      source: NO_HISTORY,
      transactions(what) {
        throw new SluiceError('HISTORY_DISABLED', { what });
      },
      stop: () => Promise.resolve(),
    };
  }
  return new RunningHistory(options);
}
