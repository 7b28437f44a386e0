/** Stops at chosen slots, between what happened before each and what happened after. */
export class Visits {
  readonly #slots: readonly bigint[];
  #next = 0;

  /** @param slots in ascending order. */
  constructor(slots: readonly bigint[]) {
    this.#slots = slots;
  }

  /** The stops that are due before something happens at a slot. */
  *before(slot: bigint): Generator<bigint, void> {
    for (let due = this.#slots[this.#next]; due !== undefined && due < slot; due = this.#slots[this.#next]) {
      this.#next += 1;
      yield due;
    }
  }
}
