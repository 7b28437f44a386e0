import type { GraphQLResolveInfo } from 'graphql';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type Turns, turns } from '../../node/turns.ts';

/** Objects to resolve before the clock is looked at; queries of usual size never yield. */
const NODES_PER_CHECK = 1_000;
/** Long text counts as objects of this many characters. */
const CHARACTERS_PER_NODE = 100;

/**
 * Counts the objects of one response while they are resolved, and the steps of its histories while they are computed,
 * and stops the execution when there are too many. It also yields to the event loop: resolving from the View is
 * synchronous, and a large query would otherwise block timers, deadlines and other requests until it is done.
 */
export class NodeBudget {
  readonly ceiling: number;
  resolved = 0;
  /** Steps of history computed so far. */
  folded = 0;
  /** The field that exceeded the budget; undefined until then, and when a history did. */
  overrunAt: GraphQLResolveInfo | undefined;
  readonly #stop = new AbortController();
  readonly #caller: string;
  readonly #turns: Pick<Turns, 'pause' | 'isOver'>;
  #checkAt = NODES_PER_CHECK;
  #pause: Promise<void> | null = null;

  /** @param caller the payer of the request; empty for work of the gateway itself */
  constructor(ceiling: number, caller = '', of: Pick<Turns, 'pause' | 'isOver'> = turns) {
    this.ceiling = ceiling;
    this.#caller = caller;
    this.#turns = of;
  }

  /** Aborts when the budget or the deadline is exceeded or the caller has disconnected. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Takes objects from the budget. Returns a promise to await before resolving them; null to resolve them at once. */
  take(count: number, info: GraphQLResolveInfo): Promise<void> | null {
    this.resolved += count;
    if (this.#isExceeded) {
      this.overrunAt ??= info;
      throw this.#stopped();
    }
    if (this.resolved > this.#checkAt) {
      this.#checkAt = this.resolved + NODES_PER_CHECK;
      const pause = this.#turns.pause(this.#caller)?.finally(() => {
        if (this.#pause === pause) this.#pause = null;
      });
      this.#pause = pause ?? this.#pause;
    }
    return this.#pause;
  }

  /** Takes a long text from the budget, so that an answer has a largest size. Returns what the field resolves to. */
  takeText(text: string, info: GraphQLResolveInfo): string | Promise<string> {
    const pause = this.take(Math.floor(text.length / CHARACTERS_PER_NODE), info);
    return pause === null ? text : pause.then(() => text);
  }

  /** Takes objects that are already serialized. False, and nothing taken, when the budget or the turn would end with them. */
  takeReused(count: number): boolean {
    const after = this.resolved + count;
    if (this.#pause !== null || after + this.folded > this.ceiling) return false;
    if (after > this.#checkAt) {
      if (this.#turns.isOver) return false;
      this.#checkAt = after + NODES_PER_CHECK;
    }
    this.resolved = after;
    return true;
  }

  /** Takes steps of a history before they are computed. */
  takeFolded(steps: number): void {
    this.signal.throwIfAborted();
    this.folded += steps;
    if (this.#isExceeded) throw this.#stopped();
  }

  get #isExceeded(): boolean {
    return this.resolved + this.folded > this.ceiling;
  }

  #stopped(): SluiceError {
    const error = new SluiceError('NODE_BUDGET_EXCEEDED', { ceiling: this.ceiling });
    this.#stop.abort(error);
    return error;
  }

  abandon(reason: unknown): void {
    this.#stop.abort(reason);
  }
}
