import { type Claimant, FairQueue } from './fair-queue.ts';
import { pauseFor } from './pause-for.ts';

interface PacerClock {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  /** Settles after the time, or when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

const SYSTEM: PacerClock = { now: () => performance.now(), sleep: pauseFor };

export interface PacerOptions {
  readonly perSecond: number;
  /** After a stall of the process, calls of at most this long are caught up at once. Absent: none are. Milliseconds. */
  readonly catchUpMs?: number;
  /** Lanes that share the calls, in the order of their first turns. */
  readonly lanes?: readonly string[];
  readonly clock?: PacerClock;
}

/** Limits calls to a rate per second, spaces them evenly and shares them fairly. */
export class Pacer {
  readonly #gapMs: number;
  readonly #catchUpMs: number;
  readonly #clock: PacerClock;
  readonly #queue: FairQueue<() => void>;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isGranting = false;
  /** Ends the sleep before the next call. */
  #wake = new AbortController();

  constructor({ perSecond, catchUpMs = 0, lanes, clock = SYSTEM }: PacerOptions) {
    this.#gapMs = 1_000 / perSecond;
    this.#catchUpMs = catchUpMs;
    this.#clock = clock;
    this.#queue = new FairQueue(lanes);
  }

  /** Resolves when the caller may proceed. Rejects with the signal's reason when it is aborted. */
  async turn(claimant: Claimant, signal: AbortSignal): Promise<void> {
    const turn = this.#queue.wait<void>(claimant, signal, (grant) => grant);
    if (!this.#isGranting) {
      this.#nextMs = Math.max(this.#nextMs, this.#clock.now());
      void this.#grantAll();
    }
    try {
      await turn;
    } catch (error) {
      // A timer that nobody waits for would keep the process alive.
      if (this.#queue.isEmpty) this.#wake.abort();
      throw error;
    }
  }

  /** Lets no call proceed for this many milliseconds. */
  holdFor(ms: number): void {
    this.#nextMs = Math.max(this.#nextMs, this.#clock.now() + ms);
  }

  async #grantAll(): Promise<void> {
    this.#isGranting = true;
    while (!this.#queue.isEmpty) {
      const waitMs = this.#nextMs - this.#clock.now();
      // Timers are no finer than this, and being early by less does no harm.
      if (waitMs >= 1) {
        this.#wake = new AbortController();
        await this.#clock.sleep(waitMs, this.#wake.signal).catch(() => undefined);
        continue;
      }
      this.#nextMs = Math.max(this.#nextMs, this.#clock.now() - this.#catchUpMs) + this.#gapMs;
      this.#queue.take()?.item();
    }
    this.#isGranting = false;
  }
}
