import { CallerQueue } from './caller-queue.ts';

/** Longest stretch of computation before the event loop handles other work, in milliseconds. */
const TURN_MS = 10;

interface Environment {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  /** Runs a callback after pending I/O and timers. */
  readonly afterIo: (run: () => void) => void;
}

/**
 * Divides long computations into turns of a few milliseconds. All computations of a process share one instance: however
 * many wait, one of them continues per turn of the event loop, from each caller alternately. `FairTurns` does the same for
 * the start of requests.
 */
export class Turns {
  readonly #environment: Environment;
  readonly #paused = new CallerQueue<() => void>();
  #startedAt = Number.NEGATIVE_INFINITY;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Whether the current turn has no time left. */
  get isOver(): boolean {
    return this.#environment.now() - this.#startedAt >= TURN_MS;
  }

  /**
   * Call between the steps of a computation. Null to go on; otherwise a promise to await first.
   *
   * @param caller the payer of the computation; empty for one that is shared
   */
  pause(caller = ''): Promise<void> | null {
    return this.isOver ? this.next(caller) : null;
  }

  /** Resolves in a later turn, even if the current one has time left. */
  next(caller = ''): Promise<void> {
    return new Promise((resume) => {
      if (this.#paused.isEmpty) this.#environment.afterIo(() => this.#resumeNext());
      this.#paused.add(caller, resume);
    });
  }

  /** Maps items, pausing between them. */
  async map<T, R>(items: readonly T[], toResult: (item: T) => R, caller = ''): Promise<R[]> {
    const results: R[] = [];
    for (const item of items) {
      const pause = this.pause(caller);
      if (pause !== null) await pause;
      results.push(toResult(item));
    }
    return results;
  }

  #resumeNext(): void {
    const resume = this.#paused.take();
    if (!this.#paused.isEmpty) this.#environment.afterIo(() => this.#resumeNext());
    this.#startedAt = this.#environment.now();
    resume?.();
  }
}

/** The turns of this process. */
export const turns = new Turns({ now: () => performance.now(), afterIo: (run) => setImmediate(run) });
