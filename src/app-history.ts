import { hostname } from 'node:os';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import type { EmbeddedChain } from './demo/embedded-chain.ts';
import { seedHistory } from './embedded-history/seed-history.ts';
import { isSluiceError, SluiceError } from './errors/sluice-error.ts';
import { PlatformIngestion } from './ingest/platform-ingestion.ts';
import { TransactionFollower } from './ingest/transaction-follower.ts';
import { pauseFor } from './recorder/pause-for.ts';
import { Recorder } from './recorder/recorder.ts';
import { type HistorySource, type HistoryState, NO_HISTORY } from './services/history/source.ts';
import type { Catalogue } from './store/catalogue/catalogue.ts';
import { openDatabase } from './store/database.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './store/embedded/embedded-database.ts';
import { clearHistory } from './store/history/clear.ts';
import { recorderLag } from './store/history/gaps.ts';
import { type Leadership, PostgresLeadership, SoleLeadership } from './store/history/leadership.ts';
import type { Retention } from './store/history/retention.ts';
import { migrate } from './store/migrate.ts';
import type { Database } from './store/sql.ts';
import { failureLog, type Logger } from './telemetry/logger.ts';
import type { Metrics } from './telemetry/metrics.ts';

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

export interface AppHistoryOptions {
  readonly config: Config;
  readonly chain: Chain;
  readonly catalogue: Catalogue;
  readonly embedded: EmbeddedChain | null;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const POOL_SIZE = 8;
const RETRY_MS = 5_000;
const LAG_EVERY_MS = 15_000;
/** Calls a second to the node for reading transactions. Our own node minds less. */
const INGEST_PER_SECOND = 100;
const INGEST_PER_SECOND_EMBEDDED = 500;
const INGEST_FAILURE_LOG_MS = 30_000;

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

export function retentionOf(config: Config): Retention {
  const { KEEP_MINUTES_DAYS, KEEP_HOURS_DAYS, KEEP_DAYS_DAYS } = config;
  return {
    minuteDays: KEEP_MINUTES_DAYS,
    hourDays: KEEP_HOURS_DAYS,
    dayDays: KEEP_DAYS_DAYS === 0 ? null : KEEP_DAYS_DAYS,
  };
}

/** Who leads, for people who look into the database. */
export const holderName = () => `${hostname()} ${process.pid}`;

class RunningHistory implements AppHistory, HistorySource {
  readonly #options: AppHistoryOptions;
  readonly #stop = new AbortController();
  readonly #starting: Promise<void>;
  /** Recorded history does not suffer from it. */
  readonly #ingestionFailed: (what: string, error: unknown) => void;
  #server: EmbeddedDatabase | null = null;
  #db: Database | null = null;
  #recorder: Recorder | null = null;
  #ingestion: PlatformIngestion | null = null;
  #follower: TransactionFollower | null = null;
  #doing: string | null = 'the database is being opened';
  #trouble: SluiceError | null = null;
  #newest: Date | null = null;
  #lagTimer: NodeJS.Timeout | undefined;

  constructor(options: AppHistoryOptions) {
    this.#options = options;
    const log = failureLog(options.logger, 'reading transactions failed', INGEST_FAILURE_LOG_MS);
    this.#ingestionFailed = (_what, error) => log(error);
    options.metrics.watchHistory(() => this.state());
    this.#starting = this.#start();
  }

  get source(): HistorySource {
    return this;
  }

  database(): Database {
    if (this.#db === null) {
      const reason = this.#reason() ?? 'the database is not open';
      throw new SluiceError('HISTORY_UNAVAILABLE', { reason });
    }
    return this.#db;
  }

  transactions(): PlatformIngestion {
    if (this.#ingestion === null) {
      const reason = this.#reason() ?? 'the database is not open';
      throw new SluiceError('HISTORY_UNAVAILABLE', { reason });
    }
    return this.#ingestion;
  }

  state(): HistoryState {
    const leading = this.#recorder?.state().leading ?? null;
    const newest = this.#recorder?.state().lastSampledAt ?? this.#newest;
    const status = this.#trouble !== null ? 'unavailable' : this.#doing !== null ? 'starting' : 'ready';
    return { status, doing: this.#reason(), leading, lagMs: newest && Date.now() - newest.getTime() };
  }

  /** Why history cannot be read or is not whole, for callers: where the files of the gateway are is not their business. */
  #reason(): string | null {
    if (this.#trouble === null) return this.#doing;
    if (isSluiceError(this.#trouble, 'HISTORY_UNAVAILABLE')) return this.#trouble.context.reason;
    if (isSluiceError(this.#trouble, 'HISTORY_SCHEMA_UNKNOWN')) return this.#trouble.message;
    return isSluiceError(this.#trouble, 'CONFIG_INVALID')
      ? `${this.#trouble.context.variable} is used by another process or cannot be opened; the log tells more`
      : 'it failed; the log tells more';
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#lagTimer);
    await this.#starting;
    await this.#ingestion?.stop();
    await this.#follower?.stop();
    await this.#recorder?.stop();
    await this.#db?.close();
    await this.#server?.stop();
  }

  /** A database that is not there yet is waited for. */
  async #start(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        return await this.#open();
      } catch (error) {
        this.#fail('opening history', error);
        await pauseFor(RETRY_MS, signal);
      }
    }
  }

  async #open(): Promise<void> {
    const { config, embedded } = this.#options;
    const { signal } = this.#stop;
    if (embedded !== null) this.#server ??= await startEmbeddedDatabase(config.DATA_DIR, { signal });
    const url = this.#server?.url ?? config.DATABASE_URL;
    if (url === null) throw new RangeError('history needs a database');
    signal.throwIfAborted();
    await migrate(url);
    signal.throwIfAborted();
    const db = await openDatabase({
      url,
      poolSize: POOL_SIZE,
      statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    });
    try {
      this.#ingestion = this.#ingestionInto(db);
      if (embedded !== null) await this.#seed(db, url, embedded);
      else if (config.RECORDER === 'inside') {
        this.#record(db, new PostgresLeadership({ url, holder: holderName() }));
      }
    } catch (error) {
      this.#ingestion = null;
      await db.close();
      throw error;
    }
    this.#db = db;
    this.#doing = null;
    this.#trouble = null;
    if (this.#recorder === null) this.#watchLag(db);
  }

  /** The embedded chain lives anew with each start, so its history begins anew, too. */
  async #seed(db: Database, databaseUrl: string, embedded: EmbeddedChain): Promise<void> {
    const { config, logger } = this.#options;
    this.#trouble = null;
    this.#doing = 'the past of the embedded chain is being told';
    await clearHistory(db);
    const leadership = new SoleLeadership(db, holderName());
    const fence = await leadership.tryLead();
    const startedAt = performance.now();
    await seedHistory({
      databaseUrl,
      fence,
      scale: config.DEMO_SCALE,
      presentMs: embedded.ledger.bootedAt,
      programs: config.programs,
      signal: this.#stop.signal,
      onProgress: ({ done, of }) => {
        this.#doing = `the past of the embedded chain is being told: ${done} of ${of} moments`;
      },
    });
    if (this.#stop.signal.aborted) return;
    logger.info({ seconds: Math.round((performance.now() - startedAt) / 100) / 10 }, 'history is ready');
    this.#record(db, leadership);
  }

  #record(db: Database, leadership: Leadership): void {
    const { chain, catalogue, config, metrics } = this.#options;
    this.#recorder = new Recorder({
      db,
      leadership,
      chain,
      catalogue,
      retention: retentionOf(config),
      onFailure: (what, error) => this.#fail(what, error),
      onRecorded: (recorded) => {
        this.#trouble = null;
        metrics.minuteRecorded(recorded);
      },
    });
    this.#recorder.start();
    if (this.#ingestion === null) return;
    this.#follower = new TransactionFollower({
      ingestion: this.#ingestion.ingestion,
      chain,
      leadership,
      onFailure: this.#ingestionFailed,
    });
    this.#follower.start();
  }

  #ingestionInto(db: Database): PlatformIngestion {
    const { chain, embedded } = this.#options;
    return new PlatformIngestion({
      chain,
      db,
      wholeChain: embedded !== null,
      requestsPerSecond: embedded === null ? INGEST_PER_SECOND : INGEST_PER_SECOND_EMBEDDED,
      onFailure: this.#ingestionFailed,
    });
  }

  /** What another process records is looked at now and then. */
  #watchLag(db: Database): void {
    const look = async () => {
      try {
        const lag = await recorderLag(db, new Date());
        this.#newest = lag === null ? null : new Date(Date.now() - lag);
        this.#trouble = null;
      } catch (error) {
        this.#fail('reading how far history goes', error);
      }
    };
    void look();
    this.#lagTimer = setInterval(look, LAG_EVERY_MS);
    this.#lagTimer.unref();
  }

  #fail(what: string, error: unknown): void {
    if (this.#stop.signal.aborted) return;
    const known = this.#trouble?.message;
    this.#trouble = error instanceof SluiceError ? error : new SluiceError('INTERNAL', {});
    this.#options.metrics.recordingFailed();
    // What is tried every few seconds is told once.
    if (this.#trouble.message !== known) this.#options.logger.warn({ err: error, what }, 'history failed');
  }
}
