import { Counter, Gauge, type Registry } from 'prom-client';

/** A key of our table; their number is bounded. */
export interface KeyLabel {
  readonly id: string;
  readonly name: string;
}

/** What is measured of limits and keys. */
export class LimitMetrics {
  readonly #registry: Registry;
  /** Since it was last asked for. */
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
      help: 'Cost that was spent, with a key or without.',
      labelNames: ['payer'],
      registers: [registry],
      collect() {
        for (const payer of ['address', 'key'] as const) {
          if (spent[payer] > 0) this.inc({ payer }, spent[payer]);
          spent[payer] = 0;
        }
      },
    });
    this.#limited = counter('rate_limited_total', 'Times that a cost was refused.', ['payer']);
    this.#unauthenticated = counter('unauthenticated_total', 'Requests refused for their key.', ['reason']);
    this.#keyRequests = counter('key_requests_total', 'Requests with a key.', ['id', 'key']);
    this.#keyCost = counter('key_cost_total', 'Cost that was spent with a key.', ['id', 'key']);
    this.#lost = counter('shared_limits_lost_total', 'Times that the shared limits were lost.');
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

  /** Reads whether limits are shared whenever the metrics are asked for. */
  watchShared(read: () => boolean): void {
    new Gauge({
      name: 'sluice_limits_shared',
      help: 'Whether limits are shared with other gateways at the moment.',
      registers: [this.#registry],
      collect() {
        this.set(Number(read()));
      },
    });
  }
}
