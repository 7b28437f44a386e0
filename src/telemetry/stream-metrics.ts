import { Counter, Gauge, type Registry } from 'prom-client';

/** A stream of accounts as it is when metrics are collected. */
export interface StreamSample {
  readonly status: 'disconnected' | 'loading' | 'streaming' | 'resuming';
  /** Null before the first slot. */
  readonly slot: bigint | null;
  /** Null before the first slot. */
  readonly lagMs: number | null;
}

const STATUSES = ['disconnected', 'loading', 'streaming', 'resuming'] as const;

/** Metrics of the stream of accounts. */
export class StreamMetrics {
  readonly #interrupted: Counter<'endpoint' | 'reason'>;
  readonly #lost: Counter<'reason'>;
  readonly #loads: Counter<'outcome'>;
  readonly #checks: Counter<'outcome'>;

  constructor(registry: Registry, read: () => StreamSample | null) {
    const registers = [registry];
    this.#interrupted = new Counter({
      name: 'sluice_stream_interrupted_total',
      help: 'Number of connections to Geyser endpoints that ended, by reason.',
      labelNames: ['endpoint', 'reason'],
      registers,
    });
    this.#lost = new Counter({
      name: 'sluice_stream_lost_total',
      help: 'Number of times that the stream could not be continued, so that all accounts are loaded again, by reason.',
      labelNames: ['reason'],
      registers,
    });
    this.#loads = new Counter({
      name: 'sluice_stream_loads_total',
      help: 'Number of loads of all positions beside the stream, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    this.#checks = new Counter({
      name: 'sluice_stream_checks_total',
      help: 'Number of comparisons of random accounts with the RPC, by outcome.',
      labelNames: ['outcome'],
      registers,
    });
    new Gauge({
      name: 'sluice_stream_status',
      help: 'State of the stream of accounts: 1 for the present one. Views are polled while it is disconnected.',
      labelNames: ['status'],
      registers,
      collect() {
        for (const status of STATUSES) this.set({ status }, Number(read()?.status === status));
      },
    });
    gauge(registry, 'slot', 'Newest slot that the stream has delivered.', () => {
      const slot = read()?.slot ?? null;
      return slot === null ? null : Number(slot);
    });
    gauge(registry, 'lag_seconds', 'Time from the sending of the newest slot to its arrival.', () => {
      const lagMs = read()?.lagMs ?? null;
      return lagMs === null ? null : lagMs / 1_000;
    });
  }

  interrupted(endpoint: string, reason: string): void {
    this.#interrupted.inc({ endpoint, reason });
  }

  lost(reason: string): void {
    this.#lost.inc({ reason });
  }

  loaded(outcome: 'done' | 'failed'): void {
    this.#loads.inc({ outcome });
  }

  checked(outcome: 'agreed' | 'contradicted' | 'failed'): void {
    this.#checks.inc({ outcome });
  }
}

function gauge(registry: Registry, name: string, help: string, read: () => number | null): void {
  new Gauge({
    name: `sluice_stream_${name}`,
    help,
    registers: [registry],
    collect() {
      const value = read();
      if (value !== null) this.set(value);
    },
  });
}
