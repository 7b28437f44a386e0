import type { GraphQLResolveInfo } from 'graphql';
import { isCodedError } from '../../errors/sluice-error.ts';
import type { WorkBudget } from '../../node/work-budget.ts';

/**
 * Objects to resolve before the clock is looked at. A pause divides the reads of a level into several batches; small queries
 * never pause, however busy the machine is.
 */
const OBJECTS_PER_CHECK = 50;
/** Long text counts as objects of this many characters. */
const CHARACTERS_PER_OBJECT = 100;

/**
 * Draws the objects of one execution from the account of its request while they are resolved, and pauses its fields:
 * resolving from the View is synchronous, and a large query would otherwise block timers, deadlines and other requests
 * until it is done.
 */
export class ResolvedObjects {
  readonly work: WorkBudget;
  /** Objects of this execution so far. */
  resolved = 0;
  /** The field whose object exceeded the account; undefined until then, and when a computation did. */
  overrunAt: GraphQLResolveInfo | undefined;
  readonly #stop = new AbortController();
  #checkAt = OBJECTS_PER_CHECK;
  /** Whether the turn was over when it was last checked. */
  #isPaused = false;
  /** Fields that wait for a pause to end, in order. */
  readonly #waiting: (() => void)[] = [];

  constructor(work: WorkBudget) {
    this.work = work;
    const { signal } = work;
    const end = () => {
      // Reads fail with a missed deadline at their own field, and what was resolved before it is an answer.
      if (!isCodedError(signal.reason, 'DEADLINE_EXCEEDED')) this.#stop.abort(signal.reason);
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  }

  /** Aborts when the account is exhausted, the caller has gone, or resolving goes on after the deadline. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Draws objects. Returns a promise to await before resolving them; null to resolve them at once. */
  take(objects: number, info: GraphQLResolveInfo): Promise<void> | null {
    this.signal.throwIfAborted();
    this.resolved += objects;
    this.work.record('objects', objects);
    if (this.signal.aborted) {
      this.overrunAt ??= info;
      throw this.signal.reason;
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
    if (this.work.scheduler.isOver) return true;
    this.#checkAt = resolved + OBJECTS_PER_CHECK;
    return false;
  }

  /** A wide level of a query leaves tens of thousands of fields waiting: they continue in several turns. */
  async #resumeInTurns(): Promise<void> {
    for (let i = 0; i < this.#waiting.length; i += 1) {
      if (this.#isPaused || this.work.scheduler.isOver) {
        await this.nextTurn();
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
    return this.work.scheduler.next(this.work.caller);
  }

  /** Draws a long text, so that an answer has a largest size. Returns what the field resolves to. */
  takeText(text: string, info: GraphQLResolveInfo): string | Promise<string> {
    const pause = this.take(Math.floor(text.length / CHARACTERS_PER_OBJECT), info);
    return pause === null ? text : pause.then(() => text);
  }

  /** Draws objects that are already serialized. False, and nothing drawn, when the account or the turn would end with them. */
  takeReused(objects: number): boolean {
    const after = this.resolved + objects;
    if (this.#isPaused || !this.work.covers('objects', objects) || this.#isDue(after)) return false;
    this.resolved = after;
    this.work.record('objects', objects);
    return true;
  }

  /** Call after a pause. Reads observe the deadline on their own; an execution that reads nothing does it here. */
  throwIfLate(): void {
    const { signal } = this.work;
    if (signal.aborted) this.#stop.abort(signal.reason);
    this.signal.throwIfAborted();
  }
}
