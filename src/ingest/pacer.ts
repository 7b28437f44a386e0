import { type Clock, systemClock } from '../chain/rpc/clock.ts';
import type { Reader } from './reader.ts';
import { TurnQueue } from './turn-queue.ts';

/** After a stall of the process, calls of at most this long are caught up at once. */
const CATCH_UP_MS = 100;

/** Limits calls to a rate per second and shares it fairly. Spaces them evenly. */
export class Pacer {
  readonly #gapMs: number;
  readonly #clock: Clock;
  readonly #queue = new TurnQueue();
  #nextMs = 0;
  #isGranting = false;

  constructor(perSecond: number, clock: Clock = systemClock) {
    this.#gapMs = 1_000 / perSecond;
    this.#clock = clock;
  }

  /** Resolves when the caller may proceed. Rejects with the signal's reason when it is aborted. */
  async turn(reader: Reader, signal: AbortSignal): Promise<void> {
    const turn = this.#queue.wait(reader, signal);
    if (!this.#isGranting) {
      this.#nextMs = Math.max(this.#nextMs, this.#clock.now());
      void this.#grantAll();
    }
    await turn;
  }

  async #grantAll(): Promise<void> {
    this.#isGranting = true;
    while (!this.#queue.isEmpty) {
      const waitMs = this.#nextMs - this.#clock.now();
      // Timers are no finer than this, and being early by less does no harm.
      if (waitMs >= 1) await this.#clock.sleep(waitMs, NEVER);
      // Those who gave up meanwhile have left the queue.
      if (this.#queue.grant() === null) break;
      this.#nextMs = Math.max(this.#nextMs, this.#clock.now() - CATCH_UP_MS) + this.#gapMs;
    }
    this.#isGranting = false;
  }
}

const NEVER = new AbortController().signal;
