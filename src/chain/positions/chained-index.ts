/** No entry. */
export const NONE = 0xffff_ffff;

const MIN_CAPACITY = 1_024;
/** Arrays grow by a quarter. */
const GROWTH = 1.25;

/** Numbers by entry, in memory that grows with the entries. */
export class EntryNumbers {
  #values = new Uint32Array(MIN_CAPACITY).fill(NONE);

  get memoryBytes(): number {
    return this.#values.byteLength;
  }

  get(entry: number): number {
    return this.#values[entry] ?? NONE;
  }

  set(entry: number, value: number): void {
    if (entry >= this.#values.length) {
      const larger = new Uint32Array(Math.max(entry + 1, Math.ceil(this.#values.length * GROWTH))).fill(NONE);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[entry] = value;
  }
}

/** Entries by hash: those of a bucket are a chain in both directions, so that each is unlinked in constant time. */
export class ChainedIndex {
  #heads = new Uint32Array(MIN_CAPACITY).fill(NONE);
  readonly #hashes = new EntryNumbers();
  readonly #next = new EntryNumbers();
  readonly #previous = new EntryNumbers();
  #size = 0;

  get memoryBytes(): number {
    const { memoryBytes } = this.#hashes;
    return this.#heads.byteLength + memoryBytes + this.#next.memoryBytes + this.#previous.memoryBytes;
  }

  add(entry: number, hash: number): void {
    if (this.#size >= this.#heads.length) this.#grow();
    this.#hashes.set(entry, hash);
    this.#link(entry, hash);
    this.#size += 1;
  }

  remove(entry: number): void {
    const next = this.#next.get(entry);
    const previous = this.#previous.get(entry);
    if (next !== NONE) this.#previous.set(next, previous);
    if (previous !== NONE) this.#next.set(previous, next);
    else this.#heads[this.#bucket(this.#hashes.get(entry))] = next;
    this.#size -= 1;
  }

  /** Entries with the hash. Those of other keys may be among them. */
  *with(hash: number): Generator<number> {
    for (let entry = this.#heads[this.#bucket(hash)] ?? NONE; entry !== NONE; entry = this.#next.get(entry)) {
      if (this.#hashes.get(entry) === hash) yield entry;
    }
  }

  #bucket(hash: number): number {
    return hash & (this.#heads.length - 1);
  }

  #link(entry: number, hash: number): void {
    const bucket = this.#bucket(hash);
    const head = this.#heads[bucket] ?? NONE;
    this.#heads[bucket] = entry;
    this.#next.set(entry, head);
    this.#previous.set(entry, NONE);
    if (head !== NONE) this.#previous.set(head, entry);
  }

  /** Hashes are at hand, so that links are made again without reading the records. */
  #grow(): void {
    const heads = this.#heads;
    this.#heads = new Uint32Array(heads.length * 2).fill(NONE);
    for (const head of heads) {
      for (let entry = head; entry !== NONE; ) {
        const next = this.#next.get(entry);
        this.#link(entry, this.#hashes.get(entry));
        entry = next;
      }
    }
  }
}

/** Hash of 32 bytes and a number, different in every process, so that nobody can choose addresses that collide. */
export function hashOf(bytes: Uint8Array, at: number, kind: number, seed: number): number {
  let hash = seed ^ kind;
  for (let i = at; i < at + 32; i += 4) {
    const word =
      ((bytes[i] ?? 0) |
        ((bytes[i + 1] ?? 0) << 8) |
        ((bytes[i + 2] ?? 0) << 16) |
        ((bytes[i + 3] ?? 0) << 24)) >>>
      0;
    const mixed = Math.imul(word, 0xcc9e_2d51);
    hash ^= Math.imul((mixed << 15) | (mixed >>> 17), 0x1b87_3593);
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe654_6b64;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
