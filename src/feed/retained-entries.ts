/** Stream entries of changes are retained up to this size, so that the memory of Redis is bounded. */
export const RETAINED_BYTES = 32 * 1024 * 1024;
/** Bounds the number of small ones. */
const MAX_ENTRIES = 4_096;

/** The newest entries of the stream, by their sizes. */
export class RetainedEntries {
  readonly #fewest: number;
  readonly #limitBytes: number;
  #sizes: number[] = [];
  /** Entries after the snapshot of positions; null when there is none, or it cannot be followed from any more. */
  #sinceSnapshot: number | null = null;

  /** @param fewest are retained in any case, if their size allows */
  constructor(fewest: number, limitBytes = RETAINED_BYTES) {
    this.#fewest = fewest;
    this.#limitBytes = limitBytes;
  }

  /** Whether a follower that loads the snapshot now will find the entries after it when it has. */
  get isSnapshotFresh(): boolean {
    const entries = this.#sinceSnapshot;
    if (entries === null) return false;
    const bytes = this.#sizes.slice(this.#sizes.length - entries).reduce((sum, size) => sum + size, 0);
    return bytes * 2 <= this.#limitBytes && entries * 2 <= MAX_ENTRIES;
  }

  /** A snapshot of positions as of the newest entry is written. */
  beginSnapshot(): void {
    this.#sinceSnapshot = 0;
  }

  /** All entries have been deleted. */
  restart(): void {
    this.#sizes = [];
    this.#sinceSnapshot = null;
  }

  /** Number of entries to retain once one of this size is added. */
  keepWith(bytes: number): number {
    const wanted = Math.min(MAX_ENTRIES, Math.max(this.#fewest, (this.#sinceSnapshot ?? 0) + 1));
    let [count, total] = [1, bytes];
    for (let i = this.#sizes.length - 1; i >= 0 && count < wanted; i -= 1) {
      total += this.#sizes[i] ?? 0;
      if (total > this.#limitBytes) break;
      count += 1;
    }
    return count;
  }

  /** An entry has been added, and so many are retained. */
  added(bytes: number, kept: number): void {
    this.#sizes.push(bytes);
    if (this.#sizes.length > kept) this.#sizes.splice(0, this.#sizes.length - kept);
    if (this.#sinceSnapshot === null) return;
    this.#sinceSnapshot += 1;
    if (this.#sinceSnapshot > kept) this.#sinceSnapshot = null;
  }
}
