import { type Clock, systemClock } from '../chain/rpc/clock.ts';

/** Lets so many calls a second go, evenly, in the order of asking. */
export class Pace {
  readonly #gapMs: number;
  readonly #clock: Clock;
  #next = 0;

  constructor(perSecond: number, clock: Clock = systemClock) {
    this.#gapMs = 1_000 / perSecond;
    this.#clock = clock;
  }

  /** Resolves when it is the caller's turn. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const mine = Math.max(now, this.#next);
    this.#next = mine + this.#gapMs;
    // A timer is no finer than this, and a caller that is early by less does no harm.
    if (mine - now >= 1) await this.#clock.sleep(mine - now, signal);
  }
}
