import type { GraphQLResolveInfo } from 'graphql';
import { SluiceError } from '../../errors/sluice-error.ts';

/** Objects that are resolved before other requests get their turn; a query of usual size never waits. */
const NODES_PER_TURN = 4_000;

/**
 * Counts the objects of one answer while it is made, stops the work when there are too many, and lets others in between:
 * what the View answers would otherwise be resolved at one go, with no time for timers, other requests or the deadline.
 */
export class NodeBudget {
  readonly ceiling: number;
  resolved = 0;
  /** Where the budget ended; undefined while it lasts. */
  overrunAt: GraphQLResolveInfo | undefined;
  readonly #stop = new AbortController();
  #turnEndsAt = NODES_PER_TURN;
  #pause: Promise<void> | null = null;

  constructor(ceiling: number) {
    this.ceiling = ceiling;
  }

  /** Aborted when the work is to stop: the budget or the time is used up, or the caller has gone. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes objects from the budget, and tells what to wait for before they are resolved; null for nothing. */
  take(count: number, info: GraphQLResolveInfo): Promise<void> | null {
    this.resolved += count;
    if (this.resolved > this.ceiling) {
      const error = new SluiceError('NODE_BUDGET_EXCEEDED', { ceiling: this.ceiling });
      this.overrunAt ??= info;
      this.#stop.abort(error);
      throw error;
    }
    if (this.resolved > this.#turnEndsAt) {
      this.#turnEndsAt = this.resolved + NODES_PER_TURN;
      const pause = turnAfter(this.#pause).finally(() => {
        if (this.#pause === pause) this.#pause = null;
      });
      this.#pause = pause;
    }
    return this.#pause;
  }

  /** Takes objects that need no work any more, if neither the budget nor the turn ends with them. */
  takeReused(count: number): boolean {
    const after = this.resolved + count;
    if (this.#pause !== null || after > this.#turnEndsAt || after > this.ceiling) return false;
    this.resolved = after;
    return true;
  }

  abandon(reason: unknown): void {
    this.#stop.abort(reason);
  }
}

async function turnAfter(previous: Promise<void> | null): Promise<void> {
  await previous;
  await new Promise((resolve) => setImmediate(resolve));
}
