import { Gauge, Histogram, type Registry } from 'prom-client';

/** The connections to the database. */
export interface PoolSample {
  readonly open: number;
  readonly idle: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** One statement that ended. */
export interface StatementSample {
  /** With `$1` where its values go. */
  readonly text: string;
  readonly durationMs: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

/** Reading of past transactions. */
export interface IngestSample {
  /** Addresses that are being read or wait for it. */
  readonly addresses: number;
  /** Transactions that the store has of them. */
  readonly transactions: number;
  /** Unix milliseconds at which the first of them began; null when nothing is read. */
  readonly oldestStartMs: number | null;
}

const SECONDS = [0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** What is measured of the database and of what is read into it. */
export class StoreMetrics {
  readonly #registry: Registry;
  readonly #statements: Histogram<'outcome'>;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#statements = new Histogram({
      name: 'sluice_sql_statement_seconds',
      help: 'Time of a statement, with the wait for a connection.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers: [registry],
    });
  }

  statementEnded({ durationMs, outcome }: Omit<StatementSample, 'text'>): void {
    this.#statements.observe({ outcome }, durationMs / 1000);
  }

  /** Reads how the pool stands whenever the metrics are asked for; null while no database is open. */
  watchPool(read: () => PoolSample | null): void {
    new Gauge({
      name: 'sluice_database_connections',
      help: 'Connections to the database by state, statements that wait for one, and how many there may be.',
      labelNames: ['state'],
      registers: [this.#registry],
      collect() {
        const pool = read() ?? { open: 0, idle: 0, waiting: 0, max: 0 };
        this.set({ state: 'busy' }, pool.open - pool.idle);
        this.set({ state: 'idle' }, pool.idle);
        this.set({ state: 'waiting' }, pool.waiting);
        this.set({ state: 'max' }, pool.max);
      },
    });
  }

  /** Reads what is being read whenever the metrics are asked for. */
  watchIngestion(read: () => IngestSample): void {
    const gauge = (name: string, help: string, of: (sample: IngestSample) => number) => {
      new Gauge({
        name: `sluice_ingest_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          this.set(of(read()));
        },
      });
    };
    gauge('addresses', 'Addresses whose transactions are being read or wait for it.', (s) => s.addresses);
    gauge('transactions', 'Transactions in the store of the addresses being read.', (s) => s.transactions);
    gauge('oldest_seconds', 'For how long the address is being read that began first.', (s) =>
      s.oldestStartMs === null ? 0 : Math.max(0, (Date.now() - s.oldestStartMs) / 1000),
    );
  }
}

/** What ingestion tells of itself, as a sample. */
export function ingestSample(
  jobs: readonly { readonly transactions: number; readonly startedAt: Date }[],
): IngestSample {
  let transactions = 0;
  let oldestStartMs: number | null = null;
  for (const job of jobs) {
    transactions += job.transactions;
    oldestStartMs = Math.min(oldestStartMs ?? Number.POSITIVE_INFINITY, job.startedAt.getTime());
  }
  return { addresses: jobs.length, transactions, oldestStartMs };
}
