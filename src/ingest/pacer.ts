import { type Clock, systemClock } from '../chain/rpc/clock.ts';

/** Limits calls to a rate per second. Spaces them evenly, in call order. */
export class Pacer {
  readonly #gapMs: number;
  readonly #clock: Clock;
  #next = 0;

  constructor(perSecond: number, clock: Clock = systemClock) {
    this.#gapMs = 1_000 / perSecond;
    this.#clock = clock;
  }

  /** Resolves when the caller may proceed. */
  async turn(signal: AbortSignal): Promise<void> {
    const now = this.#clock.now();
    const mine = Math.max(now, this.#next);
    this.#next = mine + this.#gapMs;
    // Timers are no finer than this, and being early by less does no harm.
    if (mine - now >= 1) await this.#clock.sleep(mine - now, signal);
  }
}
