import { hostname } from 'node:os';
import type { Chain } from './chain/chain.ts';
import type { Config } from './config.ts';
import type { EmbeddedChain } from './demo/embedded-chain.ts';
import { seedHistory } from './embedded-history/seed-history.ts';
import { SluiceError } from './errors/sluice-error.ts';
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
import type { Logger } from './telemetry/logger.ts';
import type { Metrics } from './telemetry/metrics.ts';

/** History and what runs behind it. */
export interface AppHistory {
  readonly source: HistorySource;
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

/** Starts what this deployment keeps of the past. The gateway answers meanwhile; history says when it can. */
export function startHistory(options: AppHistoryOptions): AppHistory {
  const { config, embedded } = options;
  if (embedded === null && config.DATABASE_URL === null) {
    return { source: NO_HISTORY, stop: () => Promise.resolve() };
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
  #server: EmbeddedDatabase | null = null;
  #db: Database | null = null;
  #recorder: Recorder | null = null;
  #doing: string | null = 'the database is being opened';
  #trouble: SluiceError | null = null;
  #newest: Date | null = null;
  #lagTimer: NodeJS.Timeout | undefined;

  constructor(options: AppHistoryOptions) {
    this.#options = options;
    options.metrics.watchHistory(() => this.state());
    this.#starting = this.#start();
  }

  get source(): HistorySource {
    return this;
  }

  database(): Database {
    if (this.#db === null) {
      throw new SluiceError('HISTORY_UNAVAILABLE', { reason: this.#doing ?? 'the database is not open' });
    }
    return this.#db;
  }

  state(): HistoryState {
    const leading = this.#recorder?.state().leading ?? null;
    const newest = this.#recorder?.state().lastSampledAt ?? this.#newest;
    const status = this.#trouble !== null ? 'unavailable' : this.#doing !== null ? 'starting' : 'ready';
    return { status, doing: this.#doing, leading, lagMs: newest && Date.now() - newest.getTime() };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearInterval(this.#lagTimer);
    await this.#starting;
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
        await new Promise((resolve) => {
          setTimeout(resolve, RETRY_MS).unref();
          signal.addEventListener('abort', resolve);
        });
      }
    }
  }

  async #open(): Promise<void> {
    const { config, embedded } = this.#options;
    if (embedded !== null) this.#server ??= await startEmbeddedDatabase(config.DATA_DIR);
    const url = this.#server?.url ?? config.DATABASE_URL;
    if (url === null) throw new RangeError('history needs a database');
    await migrate(url);
    const db = await openDatabase({
      url,
      poolSize: POOL_SIZE,
      statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
    });
    if (embedded !== null) await this.#seed(db, url, embedded);
    else if (config.RECORDER === 'inside') {
      this.#record(db, new PostgresLeadership({ url, holder: holderName() }));
    }
    this.#db = db;
    this.#doing = null;
    this.#trouble = null;
    if (this.#recorder === null) this.#watchLag(db);
  }

  /** The embedded chain lives anew with each start, so its history begins anew, too. */
  async #seed(db: Database, databaseUrl: string, embedded: EmbeddedChain): Promise<void> {
    const { config, logger } = this.#options;
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
    this.#trouble = error instanceof SluiceError ? error : new SluiceError('INTERNAL', {});
    this.#options.metrics.recordingFailed();
    this.#options.logger.warn({ err: error, what }, 'history failed');
  }
}
