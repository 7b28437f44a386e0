/** One in so many entries is let go of at a time. */
const ENTRIES_PER_SURPLUS = 64;

/** Keeps what was used last, up to a number of entries: for what is cheaper to remember than to work out again. */
export class BoundedCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#renew(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.#renew(key, value);
    if (this.#entries.size <= this.#capacity) return;
    // A map is in the order of insertion: the first is the one that was not used for longest. On the way to it every place
    // is passed from which something was taken since the map last grew, so a large cache takes several at once.
    let surplus = Math.ceil(this.#capacity / ENTRIES_PER_SURPLUS);
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      surplus -= 1;
      if (surplus <= 0) return;
    }
  }

  #renew(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
  }
}
