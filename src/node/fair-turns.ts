import { CallerQueue } from './caller-queue.ts';

/** Work starts at once until a turn has taken this long, in milliseconds: reads that start together share RPC calls. */
const FREE_MS = 10;

interface Environment {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  /** Calls a function in a later turn of the event loop, after pending I/O. */
  readonly afterIo: (run: () => void) => void;
}

const SYSTEM: Environment = { now: () => performance.now(), afterIo: (run) => setImmediate(run) };

/**
 * Spreads work over turns of the event loop, so that I/O is handled in between. After a turn that took long, one piece of
 * work starts per turn, and callers alternate: one with much work delays its own work, and another waits for at most two
 * pieces of it.
 */
export class FairTurns {
  readonly #environment: Environment;
  readonly #waiting = new CallerQueue<() => void>();
  /** When the present turn started; null if nothing has started in it. */
  #startedAt: number | null = null;

  constructor(environment: Environment = SYSTEM) {
    this.#environment = environment;
  }

  /** Null if the work may start at once; otherwise a promise to await first. */
  next(caller: string): Promise<void> | null {
    if (this.#startedAt === null) {
      this.#start();
      return null;
    }
    if (this.#waiting.isEmpty && this.#environment.now() - this.#startedAt < FREE_MS) return null;
    return new Promise((resolve) => this.#waiting.add(caller, resolve));
  }

  #start(): void {
    this.#startedAt = this.#environment.now();
    this.#environment.afterIo(() => this.#pass());
  }

  #pass(): void {
    this.#startedAt = null;
    const start = this.#waiting.take();
    if (start === undefined) return;
    this.#start();
    start();
  }
}
