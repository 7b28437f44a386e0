import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Connections of the database pool. */
export interface PoolSample {
  readonly open: number;
  readonly idle: number;
  /** Statements waiting for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** One finished SQL statement. */
export interface StatementSample {
  /** With placeholders instead of values. */
  readonly text: string;
  readonly durationMs: number;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
}

/** Read replicas, and the statements that could have gone to one. */
export interface ReplicasSample {
  readonly replicas: readonly {
    readonly name: string;
    readonly status: string;
    readonly inUse: boolean;
    readonly lagMs: number | null;
    readonly lagBytes: number | null;
    readonly reads: number;
    readonly failures: number;
  }[];
  readonly primaryReads: number;
}

/** Progress of transaction ingestion. */
export interface IngestSample {
  /** Addresses being read or queued. */
  readonly addresses: number;
  /** Transactions stored for them. */
  readonly transactions: number;
  /** Unix milliseconds when the oldest of them started; null if none is being read. */
  readonly oldestStartMs: number | null;
}

/** Slots of which all transactions with the programs are stored. */
export interface CoverageSample {
  readonly fromSlot: string;
  readonly toSlot: string;
  readonly gaps: number;
  readonly missingSlots: string;
  /** Null when the process follows no stream. */
  readonly streaming: boolean | null;
}

const SECONDS = [0.000_5, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Metrics of the database and of ingestion. */
export class StoreMetrics {
  readonly #registry: Registry;
  readonly #statements: Histogram<'outcome'>;
  readonly #turnedAway: Counter<'whose'>;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#statements = new Histogram({
      name: 'sluice_sql_statement_seconds',
      help: 'Time of a statement, including the wait for a connection.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.#turnedAway = new Counter({
      name: 'sluice_ingest_turned_away_total',
      help: 'Requests whose transactions were not read, because the caller or the gateway had reached its limit.',
      labelNames: ['whose'],
      registers: [registry],
    });
    for (const whose of ['caller', 'gateway']) this.#turnedAway.inc({ whose }, 0);
  }

  ingestionTurnedAway(whose: 'caller' | 'gateway'): void {
    this.#turnedAway.inc({ whose });
  }

  statementEnded({ durationMs, outcome }: Omit<StatementSample, 'text'>): void {
    this.#statements.observe({ outcome }, durationMs / 1000);
  }

  /** Collects the pool on every scrape; null while no database is open. */
  watchPool(read: () => PoolSample | null): void {
    new Gauge({
      name: 'sluice_database_connections',
      help: 'Database connections by state, waiting statements, and the pool limit.',
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

  /** Collects the read replicas on every scrape; null without any. A value that is unknown is absent. */
  watchReplicas(read: () => ReplicasSample | null): void {
    type Replica = ReplicasSample['replicas'][number];
    const gauge = (name: string, help: string, of: (replica: Replica) => number | null) => {
      new Gauge({
        name: `sluice_replica_${name}`,
        help,
        labelNames: ['replica'],
        registers: [this.#registry],
        collect() {
          this.reset();
          for (const replica of read()?.replicas ?? []) {
            const value = of(replica);
            if (value !== null) this.set({ replica: replica.name }, value);
          }
        },
      });
    };
    gauge('good', 'Whether the read replica answers and is one of this primary.', ({ status }) =>
      status === 'good' ? 1 : 0,
    );
    gauge('in_use', 'Whether histories are read from it now.', ({ inUse }) => (inUse ? 1 : 0));
    gauge('lag_seconds', 'Age of the state that it has replayed.', ({ lagMs }) => lagMs && lagMs / 1000);
    gauge('lag_bytes', 'Part of the log that it has not replayed.', ({ lagBytes }) => lagBytes);
    const counter = (name: string, help: string, of: (sample: ReplicasSample) => [string, number][]) => {
      new Counter({
        name: `sluice_replica_${name}_total`,
        help,
        labelNames: ['server'],
        registers: [this.#registry],
        collect() {
          this.reset();
          const sample = read();
          if (sample !== null) for (const [server, count] of of(sample)) this.inc({ server }, count);
        },
      });
    };
    counter('reads', 'Statements that a replica could answer, by the server that did.', (sample) => [
      ['primary', sample.primaryReads],
      ...sample.replicas.map(({ name, reads }): [string, number] => [name, reads]),
    ]);
    counter('failures', 'Statements that failed on a replica; the primary answered them.', ({ replicas }) =>
      replicas.map(({ name, failures }) => [name, failures]),
    );
  }

  /** Collects the slots with all of their transactions on every scrape; undefined while there are none. */
  watchCoverage(read: () => CoverageSample | undefined): void {
    const gauge = (name: string, help: string, of: (sample: CoverageSample) => number | null) => {
      new Gauge({
        name: `sluice_ingest_${name}`,
        help,
        registers: [this.#registry],
        collect() {
          const sample = read();
          const value = sample === undefined ? null : of(sample);
          // A gauge without labels is 0 until it is set or removed.
          if (value === null) this.remove();
          else this.set(value);
        },
      });
    };
    gauge(
      'complete_from_slot',
      'First slot from which on transactions are stored completely, except for gaps.',
      (s) => Number(s.fromSlot),
    );
    gauge(
      'complete_to_slot',
      'Last slot to which transactions are stored completely, except for gaps.',
      (s) => Number(s.toSlot),
    );
    gauge('gaps', 'Gaps between these slots whose transactions may be missing.', (s) => s.gaps);
    gauge('missing_slots', 'Slots in these gaps.', (s) => Number(s.missingSlots));
    gauge('streaming', 'Whether this process stores the transactions of a stream.', ({ streaming }) =>
      streaming === null ? null : Number(streaming),
    );
  }

  /** Collects ingestion progress on every scrape. */
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
    gauge('addresses', 'Addresses whose transactions are being read or queued.', (s) => s.addresses);
    gauge('transactions', 'Stored transactions of the addresses being read.', (s) => s.transactions);
    gauge('oldest_seconds', 'Age of the oldest running ingestion.', (s) =>
      s.oldestStartMs === null ? 0 : Math.max(0, (Date.now() - s.oldestStartMs) / 1000),
    );
  }
}

/** Aggregates the progress of ingestion. */
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
