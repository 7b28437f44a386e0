/**
 * Lets work start one piece at a time, each in a turn of the event loop of its own, so that I/O is handled in between.
 * Callers alternate: one with much work delays its own work, and another waits for at most two pieces of it.
 */
export class FairTurns {
  /** Callers that wait, the next one first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #afterIo: (run: () => void) => void;
  #isTaken = false;

  /** @param afterIo calls a function in a later turn of the event loop, after pending I/O */
  constructor(afterIo: (run: () => void) => void = setImmediate) {
    this.#afterIo = afterIo;
  }

  /** Null if the work may start at once; otherwise a promise to await first. */
  next(caller: string): Promise<void> | null {
    if (!this.#isTaken) {
      this.#take();
      return null;
    }
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(caller);
      if (waiting === undefined) this.#waiting.set(caller, [resolve]);
      else waiting.push(resolve);
    });
  }

  #take(): void {
    this.#isTaken = true;
    this.#afterIo(() => this.#pass());
  }

  #pass(): void {
    this.#isTaken = false;
    for (const [caller, waiting] of this.#waiting) {
      this.#take();
      const start = waiting.shift();
      this.#waiting.delete(caller);
      if (waiting.length > 0) this.#waiting.set(caller, waiting);
      start?.();
      return;
    }
  }
}
