import type { DeliveredMoment } from './account-source.ts';
import type { ViewMoment } from './view.ts';

/** How far a stream of all accounts has come, beside what is read. */
export class DeliveredSlots {
  #moment: DeliveredMoment | null = null;
  #readFrom = 0n;
  #readUpTo = 0n;

  /** The newest slot; null while there is no such stream. */
  get moment(): DeliveredMoment | null {
    return this.#moment;
  }

  /** Answers from this slot on miss no change that the stream did not bring. */
  get readFrom(): bigint {
    return this.#readFrom;
  }

  deliver(moment: DeliveredMoment): void {
    if (this.#moment === null) this.#readFrom = moment.slot;
    this.#moment = moment;
  }

  end(): void {
    this.#moment = null;
  }

  /** Everything that was read before is of no use. */
  restart(): void {
    this.#moment = null;
    this.#readUpTo = 0n;
  }

  /** Changes may have been missed up to now. */
  readAgain(): void {
    this.#readFrom = this.#moment?.slot ?? 0n;
  }

  /** Records the slots of answers. */
  read(pages: readonly { readonly slot: bigint }[]): void {
    for (const { slot } of pages) if (slot > this.#readUpTo) this.#readUpTo = slot;
  }

  /** The newest slot, if a View of it is later than the newest one and has all that was read. */
  servable(newest: ViewMoment | undefined, minSlot: bigint): DeliveredMoment | null {
    const slot = this.#moment?.slot ?? 0n;
    const isLater = newest === undefined || (slot > newest.slot && slot >= newest.slotMax);
    return isLater && slot >= this.#readUpTo && slot >= minSlot ? this.#moment : null;
  }
}
