import { isCodedError } from '../errors/sluice-error.ts';
import { pauseFor } from '../node/pause-for.ts';
import type { Session } from '../services/request/session.ts';
import { countPending, removeOldDeliveries } from '../store/alerts/deliveries.ts';
import type { Leadership } from '../store/leases/leadership.ts';
import type { AlertObserver } from './alert-observer.ts';
import { Deliverer, type DelivererOptions } from './delivery/deliverer.ts';
import { AlertLeader, type LeaderOptions } from './leader.ts';
import { WakeSignal } from './wake-signal.ts';

export interface EngineOptions
  extends Omit<LeaderOptions, 'fence' | 'idleMs' | 'observer'>,
    Omit<DelivererOptions, 'fence' | 'observer' | 'onEnded'> {
  readonly leadership: Leadership;
  /** Runs some work in a session on the newest View, with a deadline. */
  readonly inSession: <T>(signal: AbortSignal, work: (session: Session) => Promise<T>) => Promise<T>;
  /** Id of the newest View; undefined while there is none. */
  readonly newestView: () => string | undefined;
  /** Registers a listener for new Views; returns a function that removes it. */
  readonly onView: (listener: () => void) => () => void;
  /** Registers a listener for alerts that owners change in this process; returns a function that removes it. */
  readonly onChange: (listener: () => void) => () => void;
  readonly keepDays: number;
  readonly observer: AlertObserver;
  readonly intervals?: EngineIntervals;
}

/** In milliseconds. */
export interface EngineIntervals {
  /** Between attempts to lead, and between checks for messages that are due. */
  readonly poll: number;
  /** Between checks while there is no alert. Those that owners register in this process are seen at once. */
  readonly idle: number;
  readonly afterFailure: number;
  readonly housekeeping: number;
}

const INTERVALS: EngineIntervals = {
  poll: 1_000,
  idle: 10_000,
  afterFailure: 2_000,
  housekeeping: 3_600_000,
};

/** One term of leading. */
interface Term {
  readonly fence: bigint;
  readonly signal: AbortSignal;
  readonly leader: AlertLeader;
  /** Rings when a message may be due. */
  readonly messages: WakeSignal;
  readonly onError: (error: unknown) => void;
}

/** Evaluates alerts and delivers their messages while this process leads. */
export class AlertEngine {
  readonly #options: EngineOptions;
  readonly #intervals: EngineIntervals;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #term = new AbortController();

  constructor(options: EngineOptions) {
    this.#options = options;
    // The lease renews itself, and reports when it could not.
    options.leadership.onLoss(() => this.#term.abort());
    this.#intervals = options.intervals ?? INTERVALS;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#options.leadership.resign();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const { leadership, observer } = this.#options;
    while (!signal.aborted) {
      let pause = this.#intervals.poll;
      try {
        const fence = await leadership.tryLead();
        if (fence !== null) await this.#lead(fence);
      } catch (error) {
        this.#fail(error);
        pause = this.#intervals.afterFailure;
      }
      observer.led(false);
      await pauseFor(pause, signal);
    }
  }

  /** Works for as long as this process leads. The loops do not wait for each other. */
  async #lead(fence: bigint): Promise<void> {
    this.#term = new AbortController();
    const signal = AbortSignal.any([this.#stop.signal, this.#term.signal]);
    this.#options.observer.led(true);
    const onError = (error: unknown) => {
      this.#fail(error);
      if (isCodedError(error, 'NOT_LEADER')) this.#term.abort();
    };
    const leader = new AlertLeader({ ...this.#options, fence, idleMs: this.#intervals.idle });
    const term = { fence, signal, leader, messages: new WakeSignal(signal), onError };
    const stopListening = this.#options.onChange(() => {
      leader.readAgain();
      term.messages.wake();
    });
    try {
      await Promise.all([this.#evaluateAll(term), this.#deliverAll(term)]);
    } finally {
      stopListening();
      this.#term.abort();
    }
  }

  async #evaluateAll({ signal, leader, messages, onError }: Term): Promise<void> {
    const { onView, newestView, inSession } = this.#options;
    const views = new WakeSignal(signal);
    const stopListening = onView(() => views.wake());
    let evaluated: string | undefined;
    while (!signal.aborted) {
      try {
        if (newestView() !== evaluated) {
          evaluated = await inSession(signal, async (session) => {
            const wasIdle = leader.isIdle;
            if ((await leader.evaluate(session)) > 0 || (wasIdle && !leader.isIdle)) messages.wake();
            return session.view.moment.id;
          });
        }
      } catch (error) {
        onError(error);
        await pauseFor(this.#intervals.afterFailure, signal);
      }
      if (newestView() === evaluated) await views.wait(this.#intervals.poll);
    }
    stopListening();
  }

  async #deliverAll({ fence, signal, leader, messages, onError }: Term): Promise<void> {
    const { db, observer, keepDays } = this.#options;
    const deliverer = new Deliverer({
      ...this.#options,
      fence,
      onEnded: (error) => {
        if (error !== null) onError(error);
        messages.wake();
      },
    });
    let cleanedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        if ((await deliverer.startDue()) > 0) continue;
        observer.pending(await countPending(db));
        if (performance.now() - cleanedAt > this.#intervals.housekeeping) {
          await removeOldDeliveries(db, fence, keepDays);
          cleanedAt = performance.now();
        }
      } catch (error) {
        onError(error);
        await pauseFor(this.#intervals.afterFailure, signal);
      }
      await messages.wait(leader.isIdle ? this.#intervals.idle : this.#intervals.poll);
    }
    await deliverer.stop();
  }

  #fail(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.observer.failed(error);
  }
}
