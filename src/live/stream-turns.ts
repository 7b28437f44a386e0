import { CallerQueue } from '../node/caller-queue.ts';

/** After this many turns a batch leaves even if there is more work to come. A page of accounts has about as many. */
const MAX_TURNS_TO_COLLECT = 100;

interface Collector {
  turnsLeft: number;
  readonly resolve: () => void;
}

/**
 * Lets streams work one at a time, each in a turn of the event loop of its own, so that requests are served in between.
 * Lanes alternate: a client with many streams delays its own ones. Unlike `Turns` it knows when all have had their
 * turn, so that reads from many turns share calls.
 */
export class StreamTurns {
  readonly #schedule: (run: () => void) => void;
  readonly #waiting = new CallerQueue<() => void>();
  #collectors: Collector[] = [];
  #isScheduled = false;

  /** @param schedule calls a function in a later turn of the event loop */
  constructor(schedule: (run: () => void) => void = setImmediate) {
    this.#schedule = schedule;
  }

  /** Resolves in a turn of the event loop that belongs to the caller. */
  next(lane: string): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.add(lane, resolve);
      this.#ensureScheduled();
    });
  }

  /** Resolves when nobody waits for a turn, or after a number of turns: until then more reads may join a batch. */
  collected(): Promise<void> {
    return new Promise((resolve) => {
      this.#collectors.push({ turnsLeft: MAX_TURNS_TO_COLLECT, resolve });
      this.#ensureScheduled();
    });
  }

  #ensureScheduled(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#schedule(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const isQuiet = this.#waiting.isEmpty;
    const collectors = this.#collectors;
    this.#collectors = [];
    for (const collector of collectors) {
      collector.turnsLeft -= 1;
      if (isQuiet || collector.turnsLeft === 0) collector.resolve();
      else this.#collectors.push(collector);
    }
    const resolve = this.#waiting.take();
    if (!this.#waiting.isEmpty || this.#collectors.length > 0) this.#ensureScheduled();
    resolve?.();
  }
}
