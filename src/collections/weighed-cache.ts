interface Entry<V> {
  readonly value: V;
  weight: number;
}

/** Keeps what was used last, up to a weight of all entries: for values of which a few may be as large as many others. */
export class WeighedCache<V> {
  readonly #entries = new Map<string, Entry<V>>();
  readonly #capacity: number;
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Of all that is kept now. */
  get weight(): number {
    return this.#weight;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Takes a value in, unless it is heavier than everything may be together. Returns how it is told that it has grown. */
  set(key: string, value: V, weight: number): (more: number) => void {
    if (weight > this.#capacity) return () => undefined;
    this.#remove(key);
    const entry: Entry<V> = { value, weight: 0 };
    this.#entries.set(key, entry);
    const grow = (more: number) => {
      // It may have been pushed out meanwhile.
      if (this.#entries.get(key) !== entry) return;
      entry.weight += more;
      this.#weight += more;
      // A map is in the order of insertion: the first is the one that was not used for longest.
      for (const oldest of this.#entries.keys()) {
        if (this.#weight <= this.#capacity) return;
        this.#remove(oldest);
      }
    };
    grow(weight);
    return grow;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }

  #remove(key: string): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0;
    this.#entries.delete(key);
  }
}
