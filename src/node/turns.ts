import { CallerQueue } from './caller-queue.ts';

/**
 * Longest stretch of work before the event loop handles other work, in milliseconds. Within it work starts at once: reads that
 * start together share RPC calls.
 */
const TURN_MS = 10;

interface Environment {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  /** Runs a callback after pending I/O and timers. */
  readonly afterIo: (run: () => void) => void;
}

const SYSTEM: Environment = { now: () => performance.now(), afterIo: (run) => setImmediate(run) };

/**
 * Divides work into turns of a few milliseconds, so that I/O is handled in between. However many wait, one of them continues
 * per turn of the event loop, and callers alternate: one with much work delays its own.
 */
export class Turns {
  readonly #environment: Environment;
  readonly #paused = new CallerQueue<() => void>();
  /** When the present turn started; null if nothing was done in it. */
  #startedAt: number | null = null;

  constructor(environment: Environment = SYSTEM) {
    this.#environment = environment;
  }

  /** Whether the current turn has no time left. */
  get isOver(): boolean {
    return this.#environment.now() - this.#begin() >= TURN_MS;
  }

  /**
   * Call between the steps of a computation. Null to go on; otherwise a promise to await first.
   *
   * @param caller the payer of the computation; empty for one that is shared
   */
  pause(caller = ''): Promise<void> | null {
    return this.isOver ? this.next(caller) : null;
  }

  /** Call before work starts, which waits behind all that waits already. Null to start at once. */
  enter(caller: string): Promise<void> | null {
    return this.#paused.isEmpty ? this.pause(caller) : this.next(caller);
  }

  /** Resolves in a later turn, even if the current one has time left. */
  next(caller = ''): Promise<void> {
    return new Promise((resume) => {
      this.#begin();
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

  /** Begins a turn unless one has begun; returns when that was. */
  #begin(): number {
    if (this.#startedAt === null) {
      this.#startedAt = this.#environment.now();
      this.#environment.afterIo(() => this.#end());
    }
    return this.#startedAt;
  }

  #end(): void {
    this.#startedAt = null;
    const resume = this.#paused.take();
    if (resume === undefined) return;
    this.#begin();
    resume();
  }
}

/** The turns that all computations of this process share. */
export const turns = new Turns();
