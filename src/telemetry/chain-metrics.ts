import { Gauge, Histogram, type Registry } from 'prom-client';

/** One `getMultipleAccounts` that was answered. */
export interface PageSample {
  readonly accounts: number;
  /** Of the accounts that exist, as they are on chain. */
  readonly bytes: number;
}

/** How an RPC endpoint does, by our name for it. */
export interface EndpointSample {
  readonly name: string;
  readonly healthy: boolean;
  /** Null before it told a slot. */
  readonly slotLag: bigint | null;
  readonly inFlight: number;
}

export interface ChainSample {
  readonly endpoints: readonly EndpointSample[];
  /** Whether the chain announces changes to us. */
  readonly notifications: boolean;
}

const PAGE_ACCOUNTS = [1, 2, 5, 10, 20, 50, 75, 98];
const PAGE_BYTES = [1_000, 10_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000];
const DECODE_SECONDS = [0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.005, 0.025];

/** What is measured of reading the chain, besides single calls. */
export class ChainMetrics {
  readonly #registry: Registry;
  readonly #accounts: Histogram;
  readonly #bytes: Histogram;
  readonly #decode: Histogram<'kind'>;

  constructor(registry: Registry) {
    this.#registry = registry;
    const registers = [registry];
    this.#accounts = new Histogram({
      name: 'sluice_account_page_accounts',
      help: 'Accounts that were asked for in one getMultipleAccounts, clocks not counted.',
      buckets: PAGE_ACCOUNTS,
      registers,
    });
    this.#bytes = new Histogram({
      name: 'sluice_account_page_bytes',
      help: 'Bytes of the accounts that one getMultipleAccounts gave.',
      buckets: PAGE_BYTES,
      registers,
    });
    this.#decode = new Histogram({
      name: 'sluice_account_decode_seconds',
      help: 'Time to decode one account whose bytes were new.',
      labelNames: ['kind'],
      buckets: DECODE_SECONDS,
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

  /** Reads how the endpoints do whenever the metrics are asked for. */
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
    perEndpoint('healthy', 'Whether calls go to the endpoint by choice.', ({ healthy }) => Number(healthy));
    perEndpoint('lag_slots', 'Slots behind the newest slot that any endpoint told.', ({ slotLag }) =>
      slotLag === null ? null : Number(slotLag),
    );
    perEndpoint('in_flight', 'Calls that the endpoint has not answered yet.', ({ inFlight }) => inFlight);
    new Gauge({
      name: 'sluice_notifications_connected',
      help: 'Whether the chain announces changes to us; without, they are polled.',
      registers: [this.#registry],
      collect() {
        this.set(Number(read().notifications));
      },
    });
  }
}
