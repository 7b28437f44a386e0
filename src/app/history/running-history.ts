import type { PlatformIngestion } from '../../ingest/platform-ingestion.ts';
import { pauseFor } from '../../node/pause-for.ts';
import type { HistorySource, HistoryState } from '../../services/platform/history-source.ts';
import type { StatementCaller } from '../../store/caller-pool.ts';
import type { EndedStatement } from '../../store/database.ts';
import type { EmbeddedDatabase } from '../../store/embedded/embedded-database.ts';
import { emptyDatabase } from '../../store/embedded/empty-database.ts';
import { untilSpace } from '../../store/embedded/free-space.ts';
import { clearHistory } from '../../store/history/clear.ts';
import { DatabaseLease } from '../../store/leases/leadership.ts';
import { migrate } from '../../store/migrate.ts';
import type { Freshness } from '../../store/replicas/freshness.ts';
import type { Database } from '../../store/sql.ts';
import { failureLog } from '../../telemetry/logger.ts';
import { ingestSample, StoreMetrics } from '../../telemetry/store-metrics.ts';
import { type Seeding, startSeeding } from '../seed-history/seed-history.ts';
import type { SeedTarget } from '../seed-history/seed-process.ts';
import type { AppHistoryOptions } from './history-options.ts';
import { holderName } from './history-settings.ts';
import { HistoryStatus } from './history-status.ts';
import type { OpenHistory } from './open-history.ts';
import { openReplicas } from './open-replicas.ts';

const POOL_SIZE = 8;
const RETRY_MS = 5_000;
/** Backoff for an embedded database that keeps crashing. */
const RESTART_MS = 1_000;
const MAX_RESTART_MS = 60_000;
const INGEST_FAILURE_LOG_MS = 30_000;

/** Opens history, retries while the database is unreachable, and restarts the embedded database after a crash. */
export class RunningHistory implements HistorySource {
  readonly #options: AppHistoryOptions;
  readonly #status: HistoryStatus;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  readonly #measured: StoreMetrics;
  readonly #ingestionFailed: (what: string, error: unknown) => void;
  #server: EmbeddedDatabase | null = null;
  #open: OpenHistory | null = null;
  /** Whether the past of the localnet has been generated, which happens once per process. */
  #isSeeded = false;
  #seeding: Seeding | null = null;
  #restartMs = RESTART_MS;
  /** When history was last opened, in milliseconds of `performance.now()`; in the future before that. */
  #openedAt = Number.POSITIVE_INFINITY;

  constructor(options: AppHistoryOptions) {
    const { logger, metrics } = options;
    this.#options = options;
    this.#status = new HistoryStatus(logger, metrics, options.embedded !== null);
    const log = failureLog(logger, 'reading transactions failed', INGEST_FAILURE_LOG_MS);
    this.#ingestionFailed = (_what, error) => log(error);
    metrics.watchHistory(() => ({ ...this.state(), diskFull: this.#status.isDiskFull }));
    this.#measured = new StoreMetrics(metrics.registry);
    this.#measured.watchPool(() => this.#open?.db.pool() ?? null);
    this.#measured.watchReplicas(() => this.#open?.replicas?.state() ?? null);
    this.#measured.watchIngestion(() => ingestSample(this.#open?.ingestion.progress() ?? []));
    this.#measured.watchCoverage(() => this.#open?.transactions);
    this.#running = this.#run();
  }

  get source(): HistorySource {
    return this;
  }

  database(_what: string, freshness?: Freshness, caller?: StatementCaller): Database {
    if (this.#open === null || this.#isBeingSeeded) throw this.#status.error();
    const { callers } = this.#open;
    const db = this.#open.fresh(freshness);
    return caller === undefined ? db : callers.for(caller, db);
  }

  transactions(): PlatformIngestion {
    if (this.#open === null) throw this.#status.error();
    return this.#open.ingestion;
  }

  state(): HistoryState {
    const newest = this.#open?.newest ?? null;
    const transactions = this.#open?.transactions;
    return {
      status: this.#status.status,
      doing: this.#status.reason,
      percent: this.#status.percent,
      leading: this.#open?.leading ?? null,
      lagMs: newest && Date.now() - newest.getTime(),
      replicas: this.#open?.replicas?.state().replicas,
      ...(transactions === undefined ? {} : { transactions }),
    };
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  get #isBeingSeeded(): boolean {
    return this.#options.embedded !== null && !this.#isSeeded;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    // The past takes longest, and the first requests leave a core free.
    this.#startSeeding();
    await this.#options.firstViewServed;
    while (!signal.aborted) {
      try {
        await this.#openAll();
        await either(signal, this.#server?.ended);
      } catch (error) {
        // The end of the database, reported by `#closeAll`, explains what its clients saw.
        if (this.#server?.ended.aborted !== true) this.#fail('opening history', error);
      }
      const pauseMs = await this.#closeAll();
      await pauseFor(pauseMs, signal);
      if (this.#status.isDiskFull && this.#options.embedded !== null)
        await untilSpace(this.#options.config.DATA_DIR, signal);
    }
    await this.#seeding?.cancel();
    await this.#server?.stop();
  }

  async #openAll(): Promise<void> {
    const { config, embedded, onStatement } = this.#options;
    const { signal } = this.#stop;
    if (embedded !== null) {
      const { startEmbeddedDatabase } = await import('../../store/embedded/embedded-database.ts');
      const template = await emptyDatabase();
      // Again after a failure: once the folder is ours, or at once if the database has stayed open.
      const onLocked = () => this.#startSeeding();
      this.#server ??= await startEmbeddedDatabase(config.DATA_DIR, { template, onLocked, signal });
      this.#startSeeding();
    }
    const url = this.#server?.url ?? config.DATABASE_URL;
    if (url === null) throw new RangeError('history needs a database');
    signal.throwIfAborted();
    await migrate(url);
    signal.throwIfAborted();
    const { openDatabase } = await import('../../store/database.ts');
    const { OpenHistory } = await import('./open-history.ts');
    const pool = {
      poolSize: POOL_SIZE,
      statementTimeoutMs: config.REQUEST_TIMEOUT_MS,
      onStatement: (statement: EndedStatement) => {
        this.#measured.statementEnded(statement);
        onStatement?.(statement);
      },
    };
    const db = await openDatabase({ ...pool, url });
    const open = new OpenHistory({
      ...this.#options,
      db,
      replicas: await openReplicas({ ...this.#options, db, url, pool }),
      status: this.#status,
      onFailure: (what, error) => this.#fail(what, error),
      onIngestionFailure: this.#ingestionFailed,
      onTurnedAway: (whose) => this.#measured.ingestionTurnedAway(whose),
    });
    this.#open = open;
    if (embedded !== null) {
      const leadership = new DatabaseLease({ db, holder: holderName(), soleProcess: true });
      const fence = await leadership.tryLead();
      if (!this.#isSeeded && fence !== null) await this.#writePast(db, { databaseUrl: url, fence });
      if (signal.aborted) return;
      open.record(leadership);
    } else if (config.RECORDER === 'inside') {
      open.record(new DatabaseLease({ db, holder: holderName() }));
    }
    this.#status.setReady();
    this.#openedAt = performance.now();
    open.watch();
  }

  /** Starts generating before the database is open; nothing is written before `#writePast` has cleared it. */
  #startSeeding(): void {
    const { config, embedded } = this.#options;
    if (embedded === null || this.#isSeeded || this.#seeding !== null) return;
    this.#seeding = startSeeding({
      scale: config.LOCALNET_SCALE,
      presentMs: embedded.chain.bootedAt,
      programs: config.programs,
      signal: this.#stop.signal,
      onProgress: ({ done, of }) => {
        this.#status.setGenerated(done, of);
        this.#options.onHistoryProgress?.(this.#status.percent);
      },
    });
  }

  /** The localnet starts over with each process, and so does its history. */
  async #writePast(db: Database, target: SeedTarget): Promise<void> {
    const { logger, onHistoryProgress } = this.#options;
    this.#status.startGenerating();
    onHistoryProgress?.(this.#status.percent);
    await clearHistory(db);
    const startedAt = performance.now();
    await this.#seeding?.write(target);
    if (this.#stop.signal.aborted) return;
    this.#isSeeded = true;
    onHistoryProgress?.(null);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    logger.info({ seconds }, 'history is ready');
  }

  /** Resolves to the milliseconds to wait before the next attempt. */
  async #closeAll(): Promise<number> {
    const open = this.#open;
    this.#open = null;
    await this.#seeding?.cancel();
    if (this.#isBeingSeeded) this.#options.onHistoryProgress?.(null);
    this.#seeding = null;
    const server = this.#server;
    const hasEnded = server?.ended.aborted ?? false;
    if (hasEnded) this.#fail('the embedded database', server?.ended.reason);
    await open?.close().catch((error: unknown) => this.#fail('closing history', error));
    if (server === null || !hasEnded) return RETRY_MS;
    this.#server = null;
    await server.stop();
    // A database that ran for a while starts the backoff over.
    if (performance.now() - this.#openedAt > MAX_RESTART_MS) this.#restartMs = RESTART_MS;
    this.#openedAt = Number.POSITIVE_INFINITY;
    const pauseMs = this.#restartMs;
    this.#restartMs = Math.min(2 * pauseMs, MAX_RESTART_MS);
    return pauseMs;
  }

  #fail(what: string, error: unknown): void {
    if (!this.#stop.signal.aborted) this.#status.setFailure(what, error);
  }
}

/** Resolves when one of the signals is aborted. */
function either(first: AbortSignal, second: AbortSignal | undefined): Promise<void> {
  const signal = second === undefined ? first : AbortSignal.any([first, second]);
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
