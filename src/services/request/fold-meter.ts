import { type CooperativeScheduler, scheduler } from '../../node/cooperative-scheduler.ts';
import { perSession } from './per-session.ts';
import type { Session } from './session.ts';

/**
 * Meters the history that one request computes: counts its steps, stops it when the deadline has passed or the caller is
 * gone, and gives other requests a turn between steps. A step is a stored point that is read, an event that is applied or
 * a moment that is valued.
 */
export class FoldMeter {
  /** Steps so far. */
  folded = 0;
  /** Called before each step; throws to refuse it. */
  onStep: (steps: number) => void = () => undefined;
  readonly #signal: AbortSignal;
  readonly #caller: string;
  readonly #scheduler: Pick<CooperativeScheduler, 'pause'>;

  constructor(
    { signal, caller }: Pick<Session, 'signal' | 'caller'>,
    of: Pick<CooperativeScheduler, 'pause'> = scheduler,
  ) {
    this.#signal = signal;
    this.#caller = caller;
    this.#scheduler = of;
  }

  /** Call before each step. Null to go on at once; otherwise a promise to await first. */
  step(steps = 1): Promise<void> | null {
    this.#signal.throwIfAborted();
    this.folded += steps;
    this.onStep(steps);
    return this.turn();
  }

  /** Call before work on many moments that are counted elsewhere. Null to go on at once, as for a step. */
  turn(): Promise<void> | null {
    return this.#scheduler.pause(this.#caller)?.then(() => this.#signal.throwIfAborted()) ?? null;
  }

  /** Runs a computation that yields before each of its steps. */
  async run<T>(computation: Generator<void, T>): Promise<T> {
    for (;;) {
      const { done, value } = computation.next();
      if (done === true) return value;
      const pause = this.step();
      if (pause !== null) await pause;
    }
  }
}

export const foldMeter = perSession((session) => new FoldMeter(session));
