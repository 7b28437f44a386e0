import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** One answered `getMultipleAccounts`. */
export interface PageSample {
  readonly accounts: number;
  /** Total data bytes of the existing accounts. */
  readonly bytes: number;
}

/** Health of an RPC endpoint, under our name for it. */
export interface EndpointSample {
  readonly name: string;
  readonly healthy: boolean;
  /** Null before its slot is known. */
  readonly slotLag: bigint | null;
  readonly inFlight: number;
  /** Reason of its distrust; null when it is trusted. */
  readonly distrust: string | null;
}

export interface ChainSample {
  readonly endpoints: readonly EndpointSample[];
  /** Whether the WebSocket subscription is up. */
  readonly notifications: boolean;
}

const PAGE_ACCOUNTS = [1, 2, 5, 10, 20, 50, 75, 98];
const PAGE_BYTES = [1_000, 10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000];
const DECODE_SECONDS = [0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025];

/** Metrics of chain reads beyond single RPC calls. */
export class ChainMetrics {
  readonly #registry: Registry;
  readonly #accounts: Histogram;
  readonly #bytes: Histogram;
  readonly #decode: Histogram<'kind'>;
  readonly #distrusted: Counter<'endpoint' | 'reason'>;
  readonly #givenUp: Counter;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#accounts = new Histogram({
      name: 'sluice_account_page_accounts',
      help: 'Accounts requested per getMultipleAccounts, without clocks.',
      buckets: PAGE_ACCOUNTS,
      registers,
    });
    this.#bytes = new Histogram({
      name: 'sluice_account_page_bytes',
      help: 'Account bytes returned per getMultipleAccounts.',
      buckets: PAGE_BYTES,
      registers,
    });
    this.#decode = new Histogram({
      name: 'sluice_account_decode_seconds',
      help: 'Time to decode one changed account.',
      labelNames: ['kind'],
      buckets: DECODE_SECONDS,
      registers,
    });
    this.#distrusted = new Counter({
      name: 'sluice_rpc_endpoint_distrusted_total',
      help: 'Number of times that an endpoint was taken out of use because of a false answer.',
      labelNames: ['endpoint', 'reason'],
      registers,
    });
    this.#givenUp = new Counter({
      name: 'sluice_views_given_up_total',
      help: 'Number of times that Views were dropped because their slot was false.',
      registers,
    });
  }

  pageRead({ accounts, bytes }: PageSample): void {
    this.#accounts.observe(accounts);
    this.#bytes.observe(bytes);
  }

  decoded(kind: string, durationMs: number): void {
    this.#decode.observe({ kind }, durationMs / 1000);
  }

  distrusted(endpoint: string, reason: string): void {
    this.#distrusted.inc({ endpoint, reason });
  }

  viewsGivenUp(): void {
    this.#givenUp.inc();
  }

  /** Collects endpoint health on every scrape. */
  watch(read: () => ChainSample): void {
    const perEndpoint = (name: string, help: string, of: (sample: EndpointSample) => number | null) => {
      new Gauge({
        name: `sluice_rpc_endpoint_${name}`,
        help,
        labelNames: ['endpoint'],
        registers: [this.#registry],
        collect() {
          for (const sample of read().endpoints) {
            const value = of(sample);
            if (value !== null) this.set({ endpoint: sample.name }, value);
          }
        },
      });
    };
    perEndpoint('healthy', 'Whether the endpoint is in rotation.', ({ healthy }) => Number(healthy));
    perEndpoint('lag_slots', 'Slots behind the newest slot reported by any endpoint.', ({ slotLag }) =>
      slotLag === null ? null : Number(slotLag),
    );
    perEndpoint(
      'trusted',
      'Whether the endpoint is used; 0 while it is out because of a false answer.',
      ({ distrust }) => Number(distrust === null),
    );
    perEndpoint('in_flight', 'Calls in flight at the endpoint.', ({ inFlight }) => inFlight);
    new Gauge({
      name: 'sluice_notifications_connected',
      help: 'Whether account notifications arrive; otherwise changes are polled.',
      registers: [this.#registry],
      collect() {
        this.set(Number(read().notifications));
      },
    });
  }
}
