import type { LimitOwner } from '../../ingest/ingestion.ts';
import { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import type { StreamFollower } from '../../ingest/stream/stream-follower.ts';
import { TransactionFollower } from '../../ingest/transaction-follower.ts';
import { Recorder } from '../../recorder/recorder.ts';
import type { StreamedTransactions } from '../../services/platform/history-source.ts';
import { CallerPool } from '../../store/caller-pool.ts';
import { recorderLag } from '../../store/history/gaps.ts';
import type { Leadership } from '../../store/leases/leadership.ts';
import type { Freshness } from '../../store/replicas/freshness.ts';
import type { ReadReplicas } from '../../store/replicas/read-replicas.ts';
import type { Database } from '../../store/sql.ts';
import {
  type CoverageSummary,
  readCoverage,
  scopeOf,
  summaryOf,
} from '../../store/transactions/slot-ranges.ts';
import type { AppHistoryOptions } from './history-options.ts';
import { retentionOf } from './history-settings.ts';
import type { HistoryStatus } from './history-status.ts';
import { streamFollowerFor } from './transaction-stream.ts';

const LOOK_EVERY_MS = 15_000;
/** RPC calls per second for reading transactions from the localnet. */
const INGEST_PER_SECOND_EMBEDDED = 500;

export interface OpenHistoryOptions extends AppHistoryOptions {
  readonly db: Database;
  /** Null without read replicas. */
  readonly replicas: ReadReplicas | null;
  readonly status: HistoryStatus;
  readonly onFailure: (what: string, error: unknown) => void;
  /** Ingestion failures do not make recorded history unavailable. */
  readonly onIngestionFailure: (what: string, error: unknown) => void;
  readonly onTurnedAway: (whose: LimitOwner) => void;
}

/** Recorder and ingestion on one open database. */
export class OpenHistory {
  readonly db: Database;
  readonly replicas: ReadReplicas | null;
  /** The same database, divided among callers. */
  readonly callers: CallerPool;
  readonly ingestion: PlatformIngestion;
  readonly #options: OpenHistoryOptions;
  #recorder: Recorder | null = null;
  #follower: TransactionFollower | null = null;
  #stream: StreamFollower | null = null;
  #newest: Date | null = null;
  #coverage: CoverageSummary | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: OpenHistoryOptions) {
    const { chain, config, embedded, db, payments, onIngestionFailure, onTurnedAway } = options;
    this.#options = options;
    this.db = db;
    this.replicas = options.replicas;
    this.callers = new CallerPool(db);
    this.ingestion = new PlatformIngestion({
      chain,
      db,
      wholeChain: embedded !== null,
      requestsPerSecond: embedded === null ? config.INGEST_REQUESTS_PER_SECOND : INGEST_PER_SECOND_EMBEDDED,
      onFailure: onIngestionFailure,
      onTurnedAway,
      payments,
    });
  }

  /** The database for reads that need this state of it. */
  fresh(freshness: Freshness = 'newest'): Database {
    return freshness === 'recorded' && this.replicas !== null ? this.replicas.recorded : this.db;
  }

  /** Whether the recorder in this process holds the lease; null if none runs here. */
  get leading(): boolean | null {
    return this.#recorder?.state().leading ?? null;
  }

  get newest(): Date | null {
    return this.#recorder?.state().lastSampledAt ?? this.#newest;
  }

  /** The slots with all of their transactions; undefined while none are known. */
  get transactions(): StreamedTransactions | undefined {
    if (this.#coverage === null) return undefined;
    const { from, to, gaps, missingSlots } = this.#coverage;
    return {
      fromSlot: String(from),
      toSlot: String(to),
      gaps,
      missingSlots: String(missingSlots),
      streaming: this.#stream?.isLive ?? null,
    };
  }

  /**
   * Starts recording and following the transactions of every vault. Those of the localnet are never pruned and are
   * read when they are requested: following all of them costs more than everything else that an idle gateway does.
   */
  record(leadership: Leadership): void {
    const { chain, catalogue, config, embedded, metrics, status, onFailure, onIngestionFailure } =
      this.#options;
    this.#recorder = new Recorder({
      db: this.db,
      leadership,
      chain,
      catalogue,
      retention: retentionOf(config),
      onFailure,
      onRecorded: (recorded) => {
        status.clearFailure();
        metrics.minuteRecorded(recorded);
      },
    });
    this.#recorder.start();
    if (embedded !== null) return;
    this.#stream = streamFollowerFor(config, chain, this.ingestion.ingestion, onIngestionFailure);
    this.#follower = new TransactionFollower({
      ingestion: this.ingestion.ingestion,
      chain,
      leadership,
      stream: this.#stream,
      onFailure: onIngestionFailure,
    });
    this.#follower.start();
  }

  /** Polls how far another process has recorded, and which slots have all of their transactions. */
  watch(): void {
    const look = async () => {
      if (this.#recorder === null) await this.#readLag();
      if (this.#options.embedded === null) await this.#readCoverage();
    };
    void look();
    this.#timer = setInterval(look, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async #readLag(): Promise<void> {
    const { status, onFailure } = this.#options;
    try {
      const lag = await recorderLag(this.db, new Date());
      this.#newest = lag === null ? null : new Date(Date.now() - lag);
      status.clearFailure();
    } catch (error) {
      onFailure('reading the recorder lag', error);
    }
  }

  async #readCoverage(): Promise<void> {
    const { config, onIngestionFailure } = this.#options;
    try {
      this.#coverage = summaryOf(await readCoverage(this.db, scopeOf(config.programs)));
    } catch (error) {
      onIngestionFailure('reading which transactions are complete', error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.ingestion.stop();
    await this.#follower?.stop();
    await this.#recorder?.stop();
    await this.replicas?.close();
    await this.db.close();
  }
}
