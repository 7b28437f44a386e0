import type { GraphQLResolveInfo } from 'graphql';
import { SluiceError } from '../../errors/sluice-error.ts';

/** Objects to resolve before the event loop gets a turn; queries of usual size never yield. */
const NODES_PER_TURN = 4_000;

/**
 * Counts the objects of one response while they are resolved and stops the execution when there are too many. It also
 * yields to the event loop: resolving from the View is synchronous, and a large query would otherwise block timers,
 * deadlines and other requests until it is done.
 */
export class NodeBudget {
  readonly ceiling: number;
  resolved = 0;
  /** The field that exceeded the budget; undefined until then. */
  overrunAt: GraphQLResolveInfo | undefined;
  readonly #stop = new AbortController();
  #turnEndsAt = NODES_PER_TURN;
  #pause: Promise<void> | null = null;

  constructor(ceiling: number) {
    this.ceiling = ceiling;
  }

  /** Aborts when the budget or the deadline is exceeded or the caller has disconnected. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes objects from the budget. Returns a promise to await before resolving them; null to resolve them at once. */
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
      const pause = nextTurn(this.#pause).finally(() => {
        if (this.#pause === pause) this.#pause = null;
      });
      this.#pause = pause;
    }
    return this.#pause;
  }

  /** Takes objects that are already serialized. False, and nothing taken, when the budget or the turn would end with them. */
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

async function nextTurn(previous: Promise<void> | null): Promise<void> {
  await previous;
  await new Promise((resolve) => setImmediate(resolve));
}
