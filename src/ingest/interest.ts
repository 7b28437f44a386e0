import type { Clock } from '../chain/rpc/clock.ts';

/** How long an answered caller counts as interested: it may ask for the rest. */
export const LINGER_MS = 30_000;

/** Who wants an address to be read: callers that wait for it, and callers that were answered recently. */
export class Interest {
  readonly #clock: Clock;
  readonly #onGone: () => void;
  /** By entry, because a caller may wait several times. */
  readonly #waiting = new Map<symbol, string>();
  #lingering: { readonly caller: string; readonly untilMs: number } | null = null;
  #charged: string;

  /** @param onGone called when the last caller leaves without an answer and nobody lingers */
  constructor(caller: string, clock: Clock, onGone: () => void) {
    this.#charged = caller;
    this.#clock = clock;
    this.#onGone = onGone;
  }

  get isWanted(): boolean {
    const { untilMs = Number.NEGATIVE_INFINITY } = this.#lingering ?? {};
    return this.#waiting.size > 0 || this.#clock.now() < untilMs;
  }

  /** The caller that the reading is charged to: the one that has waited longest, else the last that did. */
  get caller(): string {
    const [first] = this.#waiting.values();
    this.#charged = first ?? this.#lingering?.caller ?? this.#charged;
    return this.#charged;
  }

  /** Returns the function that ends the wait. `answered`: the caller is still there and may ask for more. */
  hold(caller: string): (answered: boolean) => void {
    const entry = Symbol(caller);
    this.#waiting.set(entry, caller);
    return (answered) => {
      if (!this.#waiting.delete(entry)) return;
      if (answered) this.#lingering = { caller, untilMs: this.#clock.now() + LINGER_MS };
      if (!this.isWanted) this.#onGone();
    };
  }
}
