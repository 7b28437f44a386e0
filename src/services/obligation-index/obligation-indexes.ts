import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import type { ObligationIndexSource } from './index-update.ts';
import { ObligationIndex, type ObligationIndexOptions } from './obligation-index.ts';
import { ResidentLoans } from './resident-loans.ts';

export interface ObligationIndexesOptions extends Partial<ObligationIndexOptions> {
  /** Most markets whose loans are cached. The least recently used one is evicted. */
  readonly markets?: number;
}

const DEFAULTS = { refreshMs: 5_000, markets: 50, maxWaitMs: 2_000, now: () => Date.now() };

/** The loans of the markets that were asked about. Nothing is read before the first question about a market. */
export class ObligationIndexes {
  /** Those of Views that have positions, made without reading the chain. */
  readonly resident: ResidentLoans;
  readonly #program: Address;
  readonly #source: ObligationIndexSource;
  readonly #options: typeof DEFAULTS;
  readonly #indexes: LRUCache<Address, ObligationIndex>;
  readonly #stopping = new AbortController();

  constructor(program: Address, source: ObligationIndexSource, options: ObligationIndexesOptions = {}) {
    this.#program = program;
    this.#source = source;
    this.#options = { ...DEFAULTS, ...options };
    this.#indexes = new LRUCache({ max: this.#options.markets });
    this.resident = new ResidentLoans(program, this.#options.markets);
  }

  of(market: Address): ObligationIndex {
    const known = this.#indexes.get(market);
    if (known !== undefined) return known;
    const index = new ObligationIndex(
      market,
      this.#program,
      this.#source,
      this.#options,
      this.#stopping.signal,
    );
    this.#indexes.set(market, index);
    return index;
  }

  /** Number of markets whose loans are cached. */
  get size(): number {
    return this.#indexes.size;
  }

  stop(): void {
    this.#stopping.abort();
  }
}
