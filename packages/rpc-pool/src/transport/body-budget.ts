/** Limits the bytes of all bodies in flight, so that bad endpoints cannot exhaust the memory. */
export class BodyBudget {
  readonly #limit: number;
  #used = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  get usedBytes(): number {
    return this.#used;
  }

  /** The share of one body. Dispose of it when the body has been read. */
  open(): BodyShare {
    let held = 0;
    return {
      reserve: (bytes) => {
        if (this.#used + bytes > this.#limit) return false;
        this.#used += bytes;
        held += bytes;
        return true;
      },
      [Symbol.dispose]: () => {
        this.#used -= held;
        held = 0;
      },
    };
  }
}

export interface BodyShare extends Disposable {
  /** Takes more bytes; false when the budget is exhausted. */
  reserve(bytes: number): boolean;
}
