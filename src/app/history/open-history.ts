import { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import { TransactionFollower } from '../../ingest/transaction-follower.ts';
import { Recorder } from '../../recorder/recorder.ts';
import { recorderLag } from '../../store/history/gaps.ts';
import type { Leadership } from '../../store/history/leadership.ts';
import type { Database } from '../../store/sql.ts';
import type { AppHistoryOptions } from './history-options.ts';
import { retentionOf } from './history-settings.ts';
import type { HistoryStanding } from './history-status.ts';

const LAG_EVERY_MS = 15_000;
/** Calls a second to our own node for reading transactions: enough, and never more than it has time for. */
const INGEST_PER_SECOND_EMBEDDED = 500;

export interface OpenHistoryOptions extends AppHistoryOptions {
  readonly db: Database;
  readonly standing: HistoryStanding;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Recorded history does not suffer from it. */
  readonly onIngestionFailure: (what: string, error: unknown) => void;
}

/** What works with one open database, until that is closed. */
export class OpenHistory {
  readonly db: Database;
  readonly ingestion: PlatformIngestion;
  readonly #options: OpenHistoryOptions;
  #recorder: Recorder | null = null;
  #follower: TransactionFollower | null = null;
  #newest: Date | null = null;
  #lagTimer: NodeJS.Timeout | undefined;

  constructor(options: OpenHistoryOptions) {
    const { chain, config, embedded, db, onIngestionFailure } = options;
    this.#options = options;
    this.db = db;
    this.ingestion = new PlatformIngestion({
      chain,
      db,
      wholeChain: embedded !== null,
      requestsPerSecond: embedded === null ? config.INGEST_REQUESTS_PER_SECOND : INGEST_PER_SECOND_EMBEDDED,
      onFailure: onIngestionFailure,
    });
  }

  /** Whether a recorder in this process leads; null when none runs here. */
  get leading(): boolean | null {
    return this.#recorder?.state().leading ?? null;
  }

  get newest(): Date | null {
    return this.#recorder?.state().lastSampledAt ?? this.#newest;
  }

  /** Records, and follows the transactions of every vault. */
  record(leadership: Leadership): void {
    const { chain, catalogue, config, metrics, standing, onFailure, onIngestionFailure } = this.#options;
    this.#recorder = new Recorder({
      db: this.db,
      leadership,
      chain,
      catalogue,
      retention: retentionOf(config),
      onFailure,
      onRecorded: (recorded) => {
        standing.works();
        metrics.minuteRecorded(recorded);
      },
    });
    this.#recorder.start();
    this.#follower = new TransactionFollower({
      ingestion: this.ingestion.ingestion,
      chain,
      leadership,
      onFailure: onIngestionFailure,
    });
    this.#follower.start();
  }

  /** What another process records is looked at now and then. */
  watchLag(): void {
    if (this.#recorder !== null) return;
    const { standing, onFailure } = this.#options;
    const look = async () => {
      try {
        const lag = await recorderLag(this.db, new Date());
        this.#newest = lag === null ? null : new Date(Date.now() - lag);
        standing.works();
      } catch (error) {
        onFailure('reading how far history goes', error);
      }
    };
    void look();
    this.#lagTimer = setInterval(look, LAG_EVERY_MS);
    this.#lagTimer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#lagTimer);
    await this.ingestion.stop();
    await this.#follower?.stop();
    await this.#recorder?.stop();
    await this.db.close();
  }
}
