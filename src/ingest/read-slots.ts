import { FairSlots, type SlotLimits } from '../node/fair-slots.ts';
import { LANES, type Reader } from './reader.ts';

/** The right to read one address. */
export interface ReadSlot {
  /** Lets others read in between: releases the slot and waits for one again. */
  yield(reader: Reader, signal: AbortSignal): Promise<void>;
  release(): void;
}

/**
 * Limits how many addresses are read at a time. A slot is held for one chunk of transactions. The limit per caller spreads
 * the answers to the calls of one caller over time.
 */
export class ReadSlots {
  readonly #slots: FairSlots;

  constructor(limits: SlotLimits) {
    this.#slots = new FairSlots(limits, LANES);
  }

  async hold(reader: Reader, signal: AbortSignal): Promise<ReadSlot> {
    let holder: Reader | null = await this.#acquire(reader, signal);
    const release = () => {
      if (holder === null) return;
      const held = holder;
      holder = null;
      this.#slots.release(held);
    };
    return {
      release,
      yield: async (next, until) => {
        if (!this.#slots.isContended) return;
        release();
        holder = await this.#acquire(next, until);
      },
    };
  }

  async #acquire(reader: Reader, signal: AbortSignal): Promise<Reader> {
    await this.#slots.acquire(reader, signal);
    return reader;
  }
}
