import type { GraphQLResolveInfo } from 'graphql';
import { SluiceError } from '../../errors/sluice-error.ts';
import { type CooperativeScheduler, scheduler } from '../../node/cooperative-scheduler.ts';

/**
 * Objects to resolve before the clock is looked at. A pause divides the reads of a level into several batches; small queries
 * never pause, however busy the machine is.
 */
const NODES_PER_CHECK = 50;
/** Long text counts as objects of this many characters. */
const CHARACTERS_PER_NODE = 100;

type OwnScheduler = Pick<CooperativeScheduler, 'isOver' | 'next'>;

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
  readonly #scheduler: OwnScheduler;
  #checkAt = NODES_PER_CHECK;
  /** Whether the turn was over when it was last checked. */
  #isPaused = false;
  /** Fields that reached the budget during a pause, in order. */
  readonly #waiting: (() => void)[] = [];

  /** @param caller the payer of the request; empty for work of the gateway itself */
  constructor(ceiling: number, caller = '', of: OwnScheduler = scheduler) {
    this.ceiling = ceiling;
    this.#caller = caller;
    this.#scheduler = of;
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
    if (!this.#isPaused && !this.#isDue(this.resolved)) return null;
    this.#isPaused = true;
    return new Promise((resume) => {
      if (this.#waiting.push(resume) === 1) void this.#resumeInTurns();
    });
  }

  /** Whether a pause is due once so many objects are resolved. */
  #isDue(resolved: number): boolean {
    if (resolved <= this.#checkAt) return false;
    if (this.#scheduler.isOver) return true;
    this.#checkAt = resolved + NODES_PER_CHECK;
    return false;
  }

  /** A wide level of a query leaves tens of thousands of fields waiting: they continue in several turns. */
  async #resumeInTurns(): Promise<void> {
    for (let i = 0; i < this.#waiting.length; i += 1) {
      if (this.#isPaused || this.#scheduler.isOver) {
        await this.#scheduler.next(this.#caller);
        this.#isPaused = false;
      }
      this.#waiting[i]?.();
      // The field and what it selects are resolved before the clock is looked at again.
      await null;
    }
    this.#waiting.length = 0;
  }

  /** Resolves in a later turn of the event loop. */
  nextTurn(): Promise<void> {
    return this.#scheduler.next(this.#caller);
  }

  /** Takes a long text from the budget, so that an answer has a largest size. Returns what the field resolves to. */
  takeText(text: string, info: GraphQLResolveInfo): string | Promise<string> {
    const pause = this.take(Math.floor(text.length / CHARACTERS_PER_NODE), info);
    return pause === null ? text : pause.then(() => text);
  }

  /** Takes objects that are already serialized. False, and nothing taken, when the budget or the turn would end with them. */
  takeReused(count: number): boolean {
    const after = this.resolved + count;
    if (this.#isPaused || after + this.folded > this.ceiling || this.#isDue(after)) return false;
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

  /** Aborts the execution. Its remaining fields all fail with the same error. */
  #stopped(): unknown {
    if (!this.signal.aborted)
      this.#stop.abort(new SluiceError('NODE_BUDGET_EXCEEDED', { ceiling: this.ceiling }));
    return this.signal.reason;
  }

  abandon(reason: unknown): void {
    this.#stop.abort(reason);
  }
}
