import { setTimeout as sleep } from 'node:timers/promises';
import type { Address } from '@solana/kit';
import type { LoanReads } from '../../chain/loan-reads.ts';
import { deadlineSignal } from '../../chain/rpc/deadline.ts';
import { unlessAborted } from '../../node/unless-aborted.ts';
import { type LoanSnapshot, LoanUpdate } from './loan-update.ts';

export interface LoanIndexOptions {
  /** How old the index may be before it is brought up to date, in milliseconds. */
  readonly refreshMs: number;
  /** Milliseconds of the system's clock. */
  readonly now: () => number;
  /** How long a request waits for an update while there is an older state. */
  readonly patienceMs: number;
}

export type LoanSource = Pick<LoanReads, 'marks' | 'whole' | 'some'>;

/** The first look at a large market reads all its loans. */
const LOOK_TIMEOUT_MS = 120_000;
/** A look takes at most this part of the time: where it is slow, looks are rarer. */
const REST_PER_LOOK = 4;

/** The loans of one market, read once and then kept current by what changed. */
export class LoanIndex {
  readonly #market: Address;
  readonly #program: Address;
  readonly #source: LoanSource;
  readonly #options: LoanIndexOptions;
  readonly #stopped: AbortSignal;
  #snapshot: LoanSnapshot | null = null;
  #look: { readonly update: LoanUpdate; readonly ended: Promise<void> } | null = null;
  /** When the last look ended and how long it took, also if it failed. */
  #last: { readonly endedMs: number; readonly tookMs: number; readonly failure: unknown } | null = null;

  constructor(
    market: Address,
    program: Address,
    source: LoanSource,
    options: LoanIndexOptions,
    stopped: AbortSignal,
  ) {
    this.#market = market;
    this.#program = program;
    this.#source = source;
    this.#options = options;
    this.#stopped = stopped;
  }

  /**
   * The loans, not older than the setting if the chain can be read in time. Otherwise an older state, which tells its age.
   * The first call reads all loans; it fails if that fails.
   *
   * @param onRequests told the number of RPC requests that the call waited for, its own or those for another call
   */
  async current(
    signal: AbortSignal,
    onRequests: (requests: number) => void = () => undefined,
  ): Promise<LoanSnapshot> {
    if (this.#snapshot === null) {
      if (this.#last?.failure !== undefined && !this.#isDue()) throw this.#last.failure;
      const { update, ended } = this.#looking();
      await unlessAborted(ended, signal).finally(() => onRequests(update.rpcRequests));
      if (this.#snapshot === null) throw this.#last?.failure;
      return this.#snapshot;
    }
    if (this.#isDue()) {
      using patience = new Patience(this.#options.patienceMs);
      const { update, ended } = this.#looking();
      await unlessAborted(Promise.race([ended, patience.end]), signal).finally(() =>
        onRequests(update.rpcRequests),
      );
    }
    return this.#snapshot;
  }

  #isDue(): boolean {
    if (this.#last === null) return true;
    const { endedMs, tookMs } = this.#last;
    return this.#options.now() - endedMs >= Math.max(this.#options.refreshMs, tookMs * REST_PER_LOOK);
  }

  /** One look at a time, for all callers. Never fails: a failure is noted. */
  #looking() {
    if (this.#look !== null) return this.#look;
    const update = new LoanUpdate(this.#market, this.#program, this.#source, this.#snapshot);
    const ended = this.#lookOnce(update).finally(() => {
      this.#look = null;
    });
    this.#look = { update, ended };
    return this.#look;
  }

  async #lookOnce(update: LoanUpdate): Promise<void> {
    const { now } = this.#options;
    const startedMs = now();
    let failure: unknown;
    using deadline = deadlineSignal(LOOK_TIMEOUT_MS, 'Reading the loans of a market', this.#stopped);
    try {
      this.#snapshot = await update.run(now, deadline.signal);
    } catch (error) {
      failure = error;
    }
    const endedMs = now();
    this.#last = { endedMs, tookMs: endedMs - startedMs, failure };
  }
}

/** A timer that leaves nothing behind. */
class Patience implements Disposable {
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
