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

/**
 * Entries by hash: those of a bucket are a chain. Buckets are split one by one as entries are added, so that growth never takes
 * long. Hashes are not stored: they are computed from what the entry holds, as long as it is in the index.
 */
export class ChainedIndex {
  #heads = new Uint32Array(MIN_CAPACITY).fill(NONE);
  /** Buckets before this round of splits, a power of two, and how many of them are split. */
  #buckets = MIN_CAPACITY;
  #split = 0;
  readonly #next = new EntryNumbers();
  readonly #previous: EntryNumbers | null;
  readonly #hashAt: (entry: number) => number;
  #size = 0;

  /**
   * @param hashAt hash of what an entry holds
   * @param hasLongChains entries are then linked in both directions, so that each is unlinked in constant time
   */
  constructor(hashAt: (entry: number) => number, hasLongChains = false) {
    this.#hashAt = hashAt;
    this.#previous = hasLongChains ? new EntryNumbers() : null;
  }

  get memoryBytes(): number {
    return this.#heads.byteLength + this.#next.memoryBytes + (this.#previous?.memoryBytes ?? 0);
  }

  /** Adds an entry that holds what it is found by. */
  add(entry: number): void {
    if (this.#size >= this.#buckets + this.#split) this.#splitNext();
    this.#link(entry);
    this.#size += 1;
  }

  /** Removes an entry that still holds what it is found by. */
  remove(entry: number): void {
    const next = this.#next.get(entry);
    const bucket = this.#bucket(this.#hashAt(entry));
    const previous = this.#previous?.get(entry) ?? this.#before(entry, bucket);
    if (next !== NONE) this.#previous?.set(next, previous);
    if (previous !== NONE) this.#next.set(previous, next);
    else this.#heads[bucket] = next;
    this.#size -= 1;
  }

  /** Entries that may have the hash, those with it among them. */
  *with(hash: number): Generator<number> {
    for (let entry = this.#heads[this.#bucket(hash)] ?? NONE; entry !== NONE; entry = this.#next.get(entry))
      yield entry;
  }

  /** All entries with the hash at once, because there may be many. */
  allWith(hash: number): Uint32Array {
    const found: number[] = [];
    for (let entry = this.#heads[this.#bucket(hash)] ?? NONE; entry !== NONE; entry = this.#next.get(entry)) {
      if (this.#hashAt(entry) === hash) found.push(entry);
    }
    return Uint32Array.from(found);
  }

  #before(entry: number, bucket: number): number {
    let previous = NONE;
    for (let at = this.#heads[bucket] ?? NONE; at !== entry && at !== NONE; at = this.#next.get(at))
      previous = at;
    return previous;
  }

  #bucket(hash: number): number {
    const bucket = hash & (this.#buckets - 1);
    return bucket < this.#split ? hash & (this.#buckets * 2 - 1) : bucket;
  }

  #link(entry: number): void {
    const bucket = this.#bucket(this.#hashAt(entry));
    const head = this.#heads[bucket] ?? NONE;
    this.#heads[bucket] = entry;
    this.#next.set(entry, head);
    this.#previous?.set(entry, NONE);
    if (head !== NONE) this.#previous?.set(head, entry);
  }

  /** Divides the chain of a bucket between it and a new one. */
  #splitNext(): void {
    if (this.#buckets + this.#split === this.#heads.length) {
      const larger = new Uint32Array(this.#heads.length * 2).fill(NONE);
      larger.set(this.#heads);
      this.#heads = larger;
    }
    const head = this.#heads[this.#split] ?? NONE;
    this.#heads[this.#split] = NONE;
    this.#split += 1;
    if (this.#split === this.#buckets) {
      this.#buckets *= 2;
      this.#split = 0;
    }
    for (let entry = head; entry !== NONE; ) {
      const next = this.#next.get(entry);
      this.#link(entry);
      entry = next;
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
