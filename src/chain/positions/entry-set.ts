const MIN_BYTES = 1_024;
/** Grows by a quarter. */
const GROWTH = 1.25;

/** A set of entries of a table, one bit each. */
export class EntrySet {
  #bits = new Uint8Array(MIN_BYTES);

  add(entry: number): void {
    const at = entry >>> 3;
    if (at >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(at + 1, Math.ceil(this.#bits.length * GROWTH)));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (entry & 7));
  }

  has(entry: number): boolean {
    return ((this.#bits[entry >>> 3] ?? 0) & (1 << (entry & 7))) !== 0;
  }
}
