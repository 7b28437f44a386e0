import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import { deadlineSignal } from '../../node/deadline.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import { IndexUpdate, type ObligationIndexSource, type ObligationSnapshot } from './index-update.ts';

export interface ObligationIndexOptions {
  /** Age at which the index is brought up to date, in milliseconds. */
  readonly refreshMs: number;
  /** Milliseconds of the system's clock. */
  readonly now: () => number;
  /** Longest wait of a request for an update while there is an older state. */
  readonly maxWaitMs: number;
}

/** The first update of a large market reads all its loans. */
const UPDATE_TIMEOUT_MS = 120_000;
/** Pause after an update, as a multiple of its duration: slow updates run less often. */
const PAUSE_PER_UPDATE = 4;

/** The loans of one market, read once and then updated with what changed. */
export class ObligationIndex {
  readonly #market: Address;
  readonly #program: Address;
  readonly #source: ObligationIndexSource;
  readonly #options: ObligationIndexOptions;
  readonly #stopped: AbortSignal;
  #snapshot: ObligationSnapshot | null = null;
  #running: { readonly update: IndexUpdate; readonly ended: Promise<void> } | null = null;
  /** When the last update ended and how long it took, also if it failed. */
  #last: { readonly endedMs: number; readonly tookMs: number; readonly failure: unknown } | null = null;

  constructor(
    market: Address,
    program: Address,
    source: ObligationIndexSource,
    options: ObligationIndexOptions,
    stopped: AbortSignal,
  ) {
    this.#market = market;
    this.#program = program;
    this.#source = source;
    this.#options = options;
    this.#stopped = stopped;
  }

  /**
   * The loans, not older than the setting if the chain can be read in time. Otherwise an older state, which says its age.
   * The first call reads all loans; it fails if that fails.
   *
   * @param onRequests called with the number of RPC requests that the call waited for, its own or those for another call
   */
  async current(
    signal: AbortSignal,
    onRequests: (requests: number) => void = () => undefined,
  ): Promise<ObligationSnapshot> {
    if (this.#snapshot === null) {
      if (this.#last?.failure !== undefined && !this.#isDue()) throw this.#last.failure;
      const { update, ended } = this.#startedUpdate();
      await unlessAborted(ended, signal).finally(() => onRequests(update.rpcRequests));
      if (this.#snapshot === null) throw this.#last?.failure;
      return this.#snapshot;
    }
    if (this.#isDue()) {
      using timer = new CancellableTimer(this.#options.maxWaitMs);
      const { update, ended } = this.#startedUpdate();
      await unlessAborted(Promise.race([ended, timer.end]), signal).finally(() =>
        onRequests(update.rpcRequests),
      );
    }
    return this.#snapshot;
  }

  #isDue(): boolean {
    if (this.#last === null) return true;
    const { endedMs, tookMs } = this.#last;
    return this.#options.now() - endedMs >= Math.max(this.#options.refreshMs, tookMs * PAUSE_PER_UPDATE);
  }

  /** One update at a time, for all callers. Never rejects: a failure is recorded. */
  #startedUpdate() {
    if (this.#running !== null) return this.#running;
    const update = new IndexUpdate(this.#market, this.#program, this.#source, this.#snapshot);
    const ended = this.#runUpdate(update).finally(() => {
      this.#running = null;
    });
    this.#running = { update, ended };
    return this.#running;
  }

  async #runUpdate(update: IndexUpdate): Promise<void> {
    const { now } = this.#options;
    const startedMs = now();
    let failure: unknown;
    using deadline = deadlineSignal(UPDATE_TIMEOUT_MS, 'Reading the loans of a market', this.#stopped);
    try {
      this.#snapshot = await update.run(now, deadline.signal);
    } catch (error) {
      failure = error;
    }
    const endedMs = now();
    this.#last = { endedMs, tookMs: endedMs - startedMs, failure };
  }
}

/** A timer that is cancelled on disposal. */
class CancellableTimer implements Disposable {
  readonly #over = new AbortController();
  readonly end: Promise<void>;

  constructor(ms: number) {
    const timer = sleep(ms, undefined, { signal: this.#over.signal });
    this.end = timer.catch(() => undefined);
  }

  [Symbol.dispose](): void {
    this.#over.abort();
  }
}
