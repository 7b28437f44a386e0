import type { Clock } from '@sluice/rpc-pool';

/** An answered caller stays subscribed for this long: it may ask for the rest. */
export const LINGER_MS = 30_000;

/** Callers that want an address to be read: those that wait for it, and the one that was answered last. */
export class Subscribers {
  readonly #clock: Clock;
  readonly #onLastLeft: () => void;
  readonly #isOverdrawn: (caller: string) => boolean;
  /** By entry, because a caller may wait several times. */
  readonly #waiting = new Map<symbol, string>();
  #lingering: { readonly caller: string; readonly untilMs: number } | null = null;
  #charged: string;

  /**
   * @param onLastLeft called when the last caller leaves without an answer and no answered one stays
   * @param isOverdrawn whether a caller cannot be charged any more
   */
  constructor(
    caller: string,
    clock: Clock,
    onLastLeft: () => void,
    isOverdrawn: (caller: string) => boolean = () => false,
  ) {
    this.#charged = caller;
    this.#clock = clock;
    this.#onLastLeft = onLastLeft;
    this.#isOverdrawn = isOverdrawn;
  }

  /** Whether a subscriber can be charged for the reading. */
  get hasPayingSubscriber(): boolean {
    return this.#candidates().some((caller) => !this.#isOverdrawn(caller));
  }

  /**
   * The caller that is charged for the reading: of those that can be charged, the one that has waited longest; if there is
   * none, the last one that was charged.
   */
  get caller(): string {
    const candidates = this.#candidates();
    const payer = candidates.find((caller) => !this.#isOverdrawn(caller)) ?? candidates[0];
    this.#charged = payer ?? this.#lingering?.caller ?? this.#charged;
    return this.#charged;
  }

  /** Waiting callers, longest first, then the one that was answered last. */
  #candidates(): string[] {
    const { caller, untilMs = Number.NEGATIVE_INFINITY } = this.#lingering ?? {};
    const lingering = caller !== undefined && this.#clock.now() < untilMs ? [caller] : [];
    return [...this.#waiting.values(), ...lingering];
  }

  /** Returns the function that ends the wait. `answered`: the caller is still there and may ask for more. */
  subscribe(caller: string): (answered: boolean) => void {
    const entry = Symbol(caller);
    this.#waiting.set(entry, caller);
    return (answered) => {
      if (!this.#waiting.delete(entry)) return;
      if (answered) this.#lingering = { caller, untilMs: this.#clock.now() + LINGER_MS };
      if (!this.hasPayingSubscriber) this.#onLastLeft();
    };
  }
}
