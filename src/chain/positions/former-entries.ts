import type { FormerPosition, PositionDelta } from './position-delta.ts';

/** Entries merged with each question, so that none takes long however much has changed. */
const MERGED_PER_STEP = 64;

/**
 * What the entries of a table held in a View, while the table goes on changing. The deltas after the View are merged on the way,
 * so that a long list does not ask each of them about every entry.
 */
export class FormerEntries {
  readonly #merged = new Map<number, FormerPosition | null>();
  /** The oldest delta that has not been merged whole. */
  #delta: PositionDelta;
  /** The rest of it. Null: its merge has not begun, because it may still grow. */
  #rest: Iterator<[number, FormerPosition | null]> | null = null;

  /** @param first the changes after the View */
  constructor(first: PositionDelta) {
    this.#delta = first;
  }

  /** The account that an entry held. Null: it was free. Undefined: the one that it holds now. */
  of(entry: number): FormerPosition | null | undefined {
    this.#merge();
    const merged = this.#merged.get(entry);
    if (merged !== undefined) return merged;
    for (let delta: PositionDelta | null = this.#delta; delta !== null; delta = delta.next) {
      const former = delta.ofEntry(entry);
      if (former !== undefined) return former;
    }
    return undefined;
  }

  /** Deltas that another one follows do not change any more. */
  #merge(): void {
    const { next } = this.#delta;
    if (next === null) return;
    this.#rest ??= this.#delta.entries();
    for (let i = 0; i < MERGED_PER_STEP; i += 1) {
      const { done, value } = this.#rest.next();
      if (done === true) {
        this.#delta = next;
        this.#rest = null;
        return;
      }
      const [entry, former] = value;
      if (!this.#merged.has(entry)) this.#merged.set(entry, former);
    }
  }
}
