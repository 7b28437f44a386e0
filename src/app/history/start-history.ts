import { SluiceError } from '../../errors/sluice-error.ts';
import type { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import { type HistorySource, NO_HISTORY } from '../../services/history/source.ts';
import type { AppHistoryOptions } from './history-options.ts';
import { RunningHistory } from './running-history.ts';

export type { AppHistoryOptions } from './history-options.ts';
export { holderName, retentionOf } from './history-settings.ts';

/** History and what runs behind it. */
export interface AppHistory {
  readonly source: HistorySource;
  /**
   * Reads transactions into the store when somebody asks for them, for a fact that `what` names.
   *
   * @throws HISTORY_DISABLED, HISTORY_UNAVAILABLE
   */
  transactions(what: string): PlatformIngestion;
  stop(): Promise<void>;
}

/** Starts what this deployment keeps of the past. The gateway answers meanwhile; history says when it can. */
export function startHistory(options: AppHistoryOptions): AppHistory {
  const { config, embedded } = options;
  // Nobody but this process could record the embedded chain.
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
