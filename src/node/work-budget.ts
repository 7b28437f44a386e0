import { abandonOn } from '@sluice/rpc-pool/abort';
import { SluiceError } from '../errors/sluice-error.ts';
import { type CooperativeScheduler, scheduler } from './cooperative-scheduler.ts';

/**
 * Units of work by what they were drawn for. A unit is about 0.2 ms of the processor at most: an object of an answer, or one
 * step of a computation. A call leaves room for the answer that it is made for: both are one unit of a caller's limit.
 */
const UNITS = { objects: 1, steps: 1, accounts: 0.1, rows: 0.1, calls: 90 } as const;

/** Work that equals one unit of a caller's limit. */
export const WORK_PER_LIMIT_UNIT = 100;

export type WorkKind = keyof typeof UNITS;

/** Draws before a computation goes on, and gives way. */
export type Work = Pick<WorkBudget, 'step' | 'run'>;

export interface WorkBudgetOptions {
  /** Most units of work; unlimited by default, for work of the gateway itself. */
  readonly ceiling?: number;
  /** The payer of the work, a key or a network; empty for work of the gateway itself. */
  readonly caller?: string | undefined;
  /** Ends the work when it is aborted. */
  readonly signal?: AbortSignal;
  readonly scheduler?: Pick<CooperativeScheduler, 'isOver' | 'next'>;
}

/**
 * The account of one request. Whatever works for the request draws from it at the point of work, yields by it and is stopped
 * by it: when the ceiling is reached, the deadline has passed or the caller is gone.
 */
export class WorkBudget {
  readonly ceiling: number;
  readonly caller: string;
  readonly scheduler: Pick<CooperativeScheduler, 'isOver' | 'next'>;
  readonly #drawn: Record<WorkKind, number> = { objects: 0, steps: 0, accounts: 0, rows: 0, calls: 0 };
  #units = 0;
  #paid = 0;
  /** Created when it is needed: a cached answer needs none. */
  #stop: AbortController | undefined;

  constructor({ ceiling = Number.POSITIVE_INFINITY, caller = '', signal, ...rest }: WorkBudgetOptions = {}) {
    this.ceiling = ceiling;
    this.caller = caller;
    this.scheduler = rest.scheduler ?? scheduler;
    if (signal !== undefined) this.follow(signal);
  }

  /** All work so far. */
  get units(): number {
    return this.#units;
  }

  /** Number of draws of a kind. */
  drawn(kind: WorkKind): number {
    return this.#drawn[kind];
  }

  /** All work so far, in units of the caller's limit. */
  get limitUnits(): number {
    // Tenths of units are whole numbers, but their sum in binary is not.
    return Math.ceil(Math.round(this.#units * 10) / (10 * WORK_PER_LIMIT_UNIT));
  }

  /** Notes a charge to the caller. */
  pay(limitUnits: number): void {
    this.#paid += limitUnits;
  }

  /** Charges for the work that was drawn beyond what was paid before its amount was known. */
  settle(charge: (limitUnits: number) => void): void {
    const unpaid = this.limitUnits - this.#paid;
    if (unpaid <= 0) return;
    this.pay(unpaid);
    charge(unpaid);
  }

  /** Aborts when the work must end. */
  get signal(): AbortSignal {
    this.#stop ??= new AbortController();
    return this.#stop.signal;
  }

  /** Ends the work with this reason. */
  abandon(reason: unknown): void {
    this.#stop ??= new AbortController();
    this.#stop.abort(reason);
  }

  /** Ends the work when a signal is aborted. Returns a function that ends the connection. */
  follow(signal: AbortSignal): () => void {
    const stop = () => this.abandon(signal.reason);
    if (!signal.aborted) return abandonOn(signal, stop);
    stop();
    return () => undefined;
  }

  /** Whether as much can be drawn. */
  covers(kind: WorkKind, amount: number): boolean {
    return this.#units + amount * UNITS[kind] <= this.ceiling;
  }

  /** Draws for work that is done. Whatever the request does next is refused if this was too much. */
  record(kind: WorkKind, amount: number): void {
    this.#drawn[kind] += amount;
    this.#units += amount * UNITS[kind];
    if (this.#units <= this.ceiling || this.#stop?.signal.aborted) return;
    this.abandon(new SluiceError('NODE_BUDGET_EXCEEDED', { ceiling: this.ceiling }));
  }

  /** Draws before work is done. @throws the reason when the work must end */
  draw(kind: WorkKind, amount: number): void {
    this.#stop?.signal.throwIfAborted();
    this.record(kind, amount);
    this.#stop?.signal.throwIfAborted();
  }

  /** Draws before a step of a computation. Null to go on at once; otherwise a promise to await first. */
  step(steps = 1): Promise<void> | null {
    this.draw('steps', steps);
    return this.giveWay();
  }

  /** Lets other requests continue if this turn is over. Null to go on at once, as for a step. */
  giveWay(): Promise<void> | null {
    if (!this.scheduler.isOver) return null;
    return this.scheduler.next(this.caller).then(() => this.#stop?.signal.throwIfAborted());
  }

  /** Runs a computation that yields before each of its steps: nothing for one step, or how many it takes. */
  async run<T>(computation: Generator<unknown, T>): Promise<T> {
    for (;;) {
      const { done, value } = computation.next();
      if (done === true) return value;
      const pause = this.step(typeof value === 'number' ? value : 1);
      if (pause !== null) await pause;
    }
  }

  /** Maps items, drawing for each before its turn. */
  async map<T, R>(items: readonly T[], stepsEach: number, toResult: (item: T) => R): Promise<R[]> {
    const results: R[] = [];
    for (const item of items) {
      const pause = this.step(stepsEach);
      if (pause !== null) await pause;
      results.push(toResult(item));
    }
    return results;
  }
}
