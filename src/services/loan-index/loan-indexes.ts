import type { Address } from '@solana/kit';
import { LRUCache } from 'lru-cache';
import { LoanIndex, type LoanIndexOptions, type LoanSource } from './loan-index.ts';

export interface LoanIndexesOptions extends Partial<LoanIndexOptions> {
  /** Most markets whose loans are cached. The least recently used one is evicted. */
  readonly markets?: number;
}

const DEFAULTS = { refreshMs: 5_000, markets: 50, maxWaitMs: 2_000, now: () => Date.now() };

/** The loans of the markets that were asked about. Nothing is read before the first question about a market. */
export class LoanIndexes {
  readonly #program: Address;
  readonly #source: LoanSource;
  readonly #options: typeof DEFAULTS;
  readonly #indexes: LRUCache<Address, LoanIndex>;
  readonly #stopping = new AbortController();

  constructor(program: Address, source: LoanSource, options: LoanIndexesOptions = {}) {
    this.#program = program;
    this.#source = source;
    this.#options = { ...DEFAULTS, ...options };
    this.#indexes = new LRUCache({ max: this.#options.markets });
  }

  of(market: Address): LoanIndex {
    const known = this.#indexes.get(market);
    if (known !== undefined) return known;
    const index = new LoanIndex(market, this.#program, this.#source, this.#options, this.#stopping.signal);
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
