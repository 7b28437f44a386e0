/** Collects the items with the greatest keys out of many, in bounded memory. */
export class Largest<T> {
  readonly #limit: number;
  readonly #keyOf: (item: T) => bigint;
  #items: T[] = [];
  /** Items up to this key can no longer be among the largest; null before the limit was reached. */
  #least: bigint | null = null;

  constructor(limit: number, keyOf: (item: T) => bigint) {
    this.#limit = limit;
    this.#keyOf = keyOf;
  }

  add(item: T): void {
    if (this.#least !== null && this.#keyOf(item) <= this.#least) return;
    this.#items.push(item);
    if (this.#items.length >= 2 * this.#limit + 1) this.#trim();
  }

  /** Largest first; equal keys in the order in which they were added. */
  sorted(): readonly T[] {
    this.#trim();
    return this.#items;
  }

  #trim(): void {
    const key = this.#keyOf;
    this.#items.sort((a, b) => (key(a) < key(b) ? 1 : key(a) > key(b) ? -1 : 0));
    this.#items = this.#items.slice(0, this.#limit);
    const last = this.#items.at(-1);
    if (last !== undefined && this.#items.length === this.#limit) this.#least = key(last);
  }
}
