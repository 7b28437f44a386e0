import { FairQueue } from './fair-queue.ts';

/**
 * Longest stretch of work before the event loop handles other work, in milliseconds. Within it work starts at once: reads that
 * start together share RPC calls.
 */
const SLICE_MS = 10;

/** A batch stops collecting after this many turns even if more work waits. A page of accounts has about as many. */
const MAX_TURNS_TO_COLLECT = 100;

interface Environment {
  /** Milliseconds from any origin. */
  readonly now: () => number;
  /** Runs a callback after pending I/O and timers. */
  readonly afterIo: (run: () => void) => void;
}

interface Collector {
  turnsLeft: number;
  readonly resolve: () => void;
}

const SYSTEM: Environment = { now: () => performance.now(), afterIo: (run) => setImmediate(run) };

/**
 * Divides CPU work into slices of a few milliseconds, so that I/O is handled in between. Each turn of the event loop resumes
 * one paused computation. Callers alternate: a caller with much work delays its own.
 */
export class CooperativeScheduler {
  readonly #environment: Environment;
  readonly #paused = new FairQueue<() => void>();
  #collectors: Collector[] = [];
  /** Start of the current turn; null if no work was done in it. */
  #startedAt: number | null = null;

  constructor(environment: Environment = SYSTEM) {
    this.#environment = environment;
  }

  /** Whether the current turn has no time left. */
  get isOver(): boolean {
    return this.#environment.now() - this.begin() >= SLICE_MS;
  }

  /**
   * Call between the steps of a computation. Null to go on; otherwise a promise to await first.
   *
   * @param caller the payer of the computation; empty for one that is shared
   */
  pause(caller = ''): Promise<void> | null {
    return this.isOver ? this.next(caller) : null;
  }

  /** Call before new work starts: it queues behind paused computations. Null to start at once. */
  enter(caller: string): Promise<void> | null {
    return this.#paused.isEmpty ? this.pause(caller) : this.next(caller);
  }

  /** Resolves in a later turn, even if the current one has time left. */
  next(caller = ''): Promise<void> {
    return new Promise((resume) => {
      this.begin();
      this.#paused.add({ caller }, resume);
    });
  }

  /** Resolves when nobody waits for a turn, or after a number of turns: until then more reads may join a batch. */
  collected(): Promise<void> {
    return new Promise((resolve) => {
      this.begin();
      this.#collectors.push({ turnsLeft: MAX_TURNS_TO_COLLECT, resolve });
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

  /** Call before work that cannot pause: the pause after it then counts its time. Returns when this turn began. */
  begin(): number {
    if (this.#startedAt === null) {
      this.#startedAt = this.#environment.now();
      this.#environment.afterIo(() => this.#end());
    }
    return this.#startedAt;
  }

  #end(): void {
    this.#startedAt = null;
    this.#resolveCollectors();
    const resume = this.#paused.take()?.item;
    if (resume === undefined) return;
    this.begin();
    resume();
  }

  #resolveCollectors(): void {
    const isQuiet = this.#paused.isEmpty;
    const collectors = this.#collectors;
    this.#collectors = [];
    for (const collector of collectors) {
      collector.turnsLeft -= 1;
      if (isQuiet || collector.turnsLeft === 0) collector.resolve();
      else this.#collectors.push(collector);
    }
  }
}

/** The turns that all computations of this process share. */
export const scheduler = new CooperativeScheduler();
