import type { Lane, Reader } from './reader.ts';
import { TurnQueue } from './turn-queue.ts';

export interface SlotCounts {
  /** Addresses read at a time. */
  readonly total: number;
  /** Of these, the most that one lane holds; the rest is always there for the other lane. */
  readonly perLane: number;
  /** The most that one caller of requests holds, so that the answers to its calls do not arrive all at once. */
  readonly perCaller: number;
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
  /** By caller of requests; callers without a slot are not in it. */
  readonly #heldBy = new Map<string, number>();

  constructor(counts: SlotCounts) {
    this.#counts = counts;
  }

  async hold(reader: Reader, signal: AbortSignal): Promise<ReadSlot> {
    let holder: Reader | null = await this.#acquire(reader, signal);
    const release = () => {
      if (holder === null) return;
      this.#count(holder, -1);
      holder = null;
      this.#grant();
    };
    return {
      release,
      yield: async (next, until) => {
        if (this.#queue.isEmpty) return;
        release();
        holder = await this.#acquire(next, until);
      },
    };
  }

  async #acquire(reader: Reader, signal: AbortSignal): Promise<Reader> {
    const turn = this.#queue.wait(reader, signal);
    this.#grant();
    await turn;
    return reader;
  }

  #grant(): void {
    const { total, perLane, perCaller } = this.#counts;
    const mayProceed = ({ lane, caller }: Reader) =>
      this.#held[lane] < perLane && (lane === 'follower' || (this.#heldBy.get(caller) ?? 0) < perCaller);
    while (this.#held.follower + this.#held.request < total) {
      const reader = this.#queue.grant(mayProceed);
      if (reader === null) return;
      this.#count(reader, 1);
    }
  }

  #count({ lane, caller }: Reader, change: 1 | -1): void {
    this.#held[lane] += change;
    if (lane === 'follower') return;
    const held = (this.#heldBy.get(caller) ?? 0) + change;
    if (held === 0) this.#heldBy.delete(caller);
    else this.#heldBy.set(caller, held);
  }
}
