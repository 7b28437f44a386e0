import type { Lane, Reader } from './reader.ts';
import { TurnQueue } from './turn-queue.ts';

export interface SlotCounts {
  /** Addresses read at a time. */
  readonly total: number;
  /** Of these, the most that one lane holds; the rest is always there for the other lane. */
  readonly perLane: number;
}

/** The right to read one address. */
export interface ReadSlot {
  /** Lets others read in between: releases the slot and waits for one again. */
  yield(reader: Reader, signal: AbortSignal): Promise<void>;
  release(): void;
}

/** Limits how many addresses are read at a time. A slot is held for one chunk of transactions. */
export class ReadSlots {
  readonly #counts: SlotCounts;
  readonly #queue = new TurnQueue();
  readonly #held: Record<Lane, number> = { follower: 0, request: 0 };

  constructor(counts: SlotCounts) {
    this.#counts = counts;
  }

  async hold(reader: Reader, signal: AbortSignal): Promise<ReadSlot> {
    let lane: Lane | null = await this.#acquire(reader, signal);
    const release = () => {
      if (lane === null) return;
      this.#held[lane] -= 1;
      lane = null;
      this.#grant();
    };
    return {
      release,
      yield: async (next, until) => {
        if (this.#queue.isEmpty) return;
        release();
        lane = await this.#acquire(next, until);
      },
    };
  }

  async #acquire(reader: Reader, signal: AbortSignal): Promise<Lane> {
    const turn = this.#queue.wait(reader, signal);
    this.#grant();
    await turn;
    return reader.lane;
  }

  #grant(): void {
    const { total, perLane } = this.#counts;
    while (this.#held.follower + this.#held.request < total) {
      const lane = this.#queue.grant((each) => this.#held[each] < perLane);
      if (lane === null) return;
      this.#held[lane] += 1;
    }
  }
}
