import type { Params } from './params.ts';

/** Methods whose first parameter is an address or a list of them. */
const ADDRESS_METHODS: ReadonlySet<string> = new Set([
  'accountSubscribe',
  'getAccountInfo',
  'getBalance',
  'getMultipleAccounts',
  'getProgramAccounts',
  'getSignaturesForAddress',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getTokenLargestAccounts',
  'getTokenSupply',
  'programSubscribe',
]);
/**
 * Enough for tests and benchmarks; a server that runs for weeks must not track every address ever requested.
 */
const MAX_TRACKED_ADDRESSES = 100_000;

/** Counts requests to the server. */
export class RequestLog {
  /** HTTP requests; a batch counts as one. */
  httpRequests = 0;
  bytesReceived = 0;
  bytesSent = 0;
  /** Addresses in all calls, including repetitions. */
  addressesRequested = 0;
  readonly #calls = new Map<string, number>();
  readonly #addresses = new Map<string, number>();

  /** Number of calls of a method; of all methods when none is given. */
  calls(method?: string): number {
    if (method !== undefined) return this.#calls.get(method) ?? 0;
    let sum = 0;
    for (const count of this.#calls.values()) sum += count;
    return sum;
  }

  get callsByMethod(): ReadonlyMap<string, number> {
    return this.#calls;
  }

  /** Number of requests for an address. */
  requestsFor(address: string): number {
    return this.#addresses.get(address) ?? 0;
  }

  record(method: string, params: Params): void {
    this.#calls.set(method, this.calls(method) + 1);
    if (!ADDRESS_METHODS.has(method)) return;
    const first = params[0];
    for (const address of Array.isArray(first) ? first : [first]) {
      if (typeof address !== 'string') continue;
      this.addressesRequested += 1;
      const known = this.#addresses.get(address);
      if (known !== undefined || this.#addresses.size < MAX_TRACKED_ADDRESSES) {
        this.#addresses.set(address, (known ?? 0) + 1);
      }
    }
  }

  reset(): void {
    this.httpRequests = 0;
    this.bytesReceived = 0;
    this.bytesSent = 0;
    this.addressesRequested = 0;
    this.#calls.clear();
    this.#addresses.clear();
  }
}
