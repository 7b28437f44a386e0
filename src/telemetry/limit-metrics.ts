import { Counter, Gauge, type Registry } from 'prom-client';

/** A stored API key; the number of keys bounds the label values. */
export interface KeyLabel {
  readonly id: string;
  readonly name: string;
}

/** Metrics of rate limits and API keys. */
export class LimitMetrics {
  readonly #registry: Registry;
  /** Cost accumulated since the last scrape. */
  readonly #spent = { address: 0, key: 0 };
  readonly #limited: Counter<'payer'>;
  readonly #unauthenticated: Counter<'reason'>;
  readonly #keyRequests: Counter<'id' | 'key'>;
  readonly #keyCost: Counter<'id' | 'key'>;
  readonly #lost: Counter;

  constructor(registry: Registry) {
    const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
      new Counter({ name: `sluice_${name}`, help, labelNames, registers: [registry] });
    this.#registry = registry;
    const spent = this.#spent;
    new Counter({
      name: 'sluice_spent_cost_total',
      help: 'Cost spent, by kind of caller.',
      labelNames: ['payer'],
      registers: [registry],
      collect() {
        for (const payer of ['address', 'key'] as const) {
          if (spent[payer] > 0) this.inc({ payer }, spent[payer]);
          spent[payer] = 0;
        }
      },
    });
    this.#limited = counter('rate_limited_total', 'Requests refused by the rate limit.', ['payer']);
    this.#unauthenticated = counter('unauthenticated_total', 'Requests refused for their key.', ['reason']);
    this.#keyRequests = counter('key_requests_total', 'Requests with a key.', ['id', 'key']);
    this.#keyCost = counter('key_cost_total', 'Cost spent per key.', ['id', 'key']);
    this.#lost = counter('shared_limits_lost_total', 'Times that Redis became unreachable.');
  }

  requestOf({ id, name }: KeyLabel): void {
    this.#keyRequests.inc({ id, key: name });
  }

  spent(key: KeyLabel | null, cost: number): void {
    this.#spent[key === null ? 'address' : 'key'] += cost;
    if (key !== null) this.#keyCost.inc({ id: key.id, key: key.name }, cost);
  }

  limited(key: KeyLabel | null): void {
    this.#limited.inc({ payer: key === null ? 'address' : 'key' });
  }

  unauthenticated(reason: string): void {
    this.#unauthenticated.inc({ reason });
  }

  sharedLimitsLost(): void {
    this.#lost.inc();
  }

  /** Collects on every scrape whether limits are shared. */
  watchShared(read: () => boolean): void {
    new Gauge({
      name: 'sluice_limits_shared',
      help: 'Whether limits are shared with other gateways now.',
      registers: [this.#registry],
      collect() {
        this.set(Number(read()));
      },
    });
  }
}
