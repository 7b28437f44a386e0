interface Half<V> {
  readonly values: Map<string, V>;
  weight: number;
}

/**
 * Keeps what came last, up to a weight, in two halves: when the newer one is full, the older one goes as a whole. A map from
 * which values are taken one by one makes itself a new table now and then, and the old ones, each of which knows the next,
 * hold what was in them until the next whole collection: with large values at every request, most of the memory.
 */
export class AskedOnce<V> {
  readonly #ofHalf: number;
  #newer: Half<V> = emptyHalf();
  #older: Half<V> = emptyHalf();

  constructor(capacity: number) {
    this.#ofHalf = capacity / 2;
  }

  /** Of all that is kept now. */
  get weight(): number {
    return this.#newer.weight + this.#older.weight;
  }

  get(key: string): V | undefined {
    return this.#newer.values.get(key) ?? this.#older.values.get(key);
  }

  /** False for what is too heavy to be kept. */
  set(key: string, value: V, weight: number): boolean {
    if (weight > this.#ofHalf) return false;
    if (this.#newer.weight + weight > this.#ofHalf) {
      this.#older = this.#newer;
      this.#newer = emptyHalf();
    }
    this.#newer.values.set(key, value);
    this.#newer.weight += weight;
    return true;
  }

  clear(): void {
    this.#newer = emptyHalf();
    this.#older = emptyHalf();
  }
}

function emptyHalf<V>(): Half<V> {
  return { values: new Map(), weight: 0 };
}
