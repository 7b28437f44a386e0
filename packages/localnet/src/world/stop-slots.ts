/** Slots at which the generation of the past pauses, between what happened before and after each. */
export class StopSlots {
  readonly #slots: readonly bigint[];
  #next = 0;

  /** @param slots ascending */
  constructor(slots: readonly bigint[]) {
    this.#slots = slots;
  }

  /** The stops that are due before something happens at `slot`. */
  *before(slot: bigint): Generator<bigint, void> {
    for (let due = this.#slots[this.#next]; due !== undefined && due < slot; due = this.#slots[this.#next]) {
      this.#next += 1;
      yield due;
    }
  }
}
