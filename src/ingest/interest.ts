import type { Clock } from '../chain/rpc/clock.ts';

/** How long an answered caller counts as interested: it may ask for the rest. */
export const LINGER_MS = 30_000;

/** The callers that want an address to be read: those that wait for it, and those that were answered recently. */
export class Interest {
  readonly #clock: Clock;
  readonly #onGone: () => void;
  readonly #isOverdrawn: (caller: string) => boolean;
  /** By entry, because a caller may wait several times. */
  readonly #waiting = new Map<symbol, string>();
  #lingering: { readonly caller: string; readonly untilMs: number } | null = null;
  #charged: string;

  /**
   * @param onGone called when the last caller leaves without an answer and nobody lingers
   * @param isOverdrawn whether a caller cannot be charged any more
   */
  constructor(
    caller: string,
    clock: Clock,
    onGone: () => void,
    isOverdrawn: (caller: string) => boolean = () => false,
  ) {
    this.#charged = caller;
    this.#clock = clock;
    this.#onGone = onGone;
    this.#isOverdrawn = isOverdrawn;
  }

  /** Whether somebody wants it who can be charged for it. */
  get isWanted(): boolean {
    return this.#candidates().some((caller) => !this.#isOverdrawn(caller));
  }

  /**
   * The caller that the reading is charged to: of those that can be charged, the one that has waited longest, else the
   * last that did.
   */
  get caller(): string {
    const candidates = this.#candidates();
    const payer = candidates.find((caller) => !this.#isOverdrawn(caller)) ?? candidates[0];
    this.#charged = payer ?? this.#lingering?.caller ?? this.#charged;
    return this.#charged;
  }

  /** Those who wait, longest first, and the one who lingers. */
  #candidates(): string[] {
    const { caller, untilMs = Number.NEGATIVE_INFINITY } = this.#lingering ?? {};
    const lingering = caller !== undefined && this.#clock.now() < untilMs ? [caller] : [];
    return [...this.#waiting.values(), ...lingering];
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
