import { systemClock } from '@sluice/rpc-pool';
import { deadlineSignal } from '../../node/deadline.ts';
import type { AccountSink, AccountSource } from '../view/account-source.ts';

export interface PollingOptions {
  /** From the start of one refresh to the start of the next. */
  readonly intervalMs: number;
  /** Time limit of one refresh, after which it is aborted and retried. */
  readonly timeoutMs: number;
}

const RETRY_MS = 1_000;

/** Refreshes on a timer. It announces no kind: the sink decides what is due and reads it. */
export class PollingSource implements AccountSource {
  readonly kinds = [];
  readonly #options: PollingOptions;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #wake: (() => void) | undefined;
  #refreshRequested = false;
  #connected = false;

  constructor(options: PollingOptions) {
    this.#options = options;
  }

  /** Whether the last refresh succeeded. */
  get connected(): boolean {
    return this.#connected;
  }

  start(sink: AccountSink): void {
    this.#stop = new AbortController();
    this.#running = this.#loop(sink);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.refreshNow();
    await this.#running;
    this.#refreshRequested = false;
    this.#connected = false;
  }

  refreshNow(): void {
    if (this.#wake === undefined) this.#refreshRequested = true;
    else this.#wake();
  }

  async #loop(sink: AccountSink): Promise<void> {
    const { intervalMs, timeoutMs } = this.#options;
    for (;;) {
      const startedAt = performance.now();
      using deadline = deadlineSignal(timeoutMs, 'Reading the View', this.#stop.signal);
      this.#connected = await sink.refresh(deadline.signal);
      if (this.#stop.signal.aborted) return;
      const pause = this.#connected ? intervalMs : Math.min(RETRY_MS, intervalMs);
      await this.#sleep(Math.max(0, pause - (performance.now() - startedAt)));
      if (this.#stop.signal.aborted) return;
    }
  }

  async #sleep(ms: number): Promise<void> {
    if (this.#refreshRequested) {
      this.#refreshRequested = false;
      return;
    }
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    try {
      await systemClock.sleep(ms, woken.signal);
    } catch {
      // The signal wakes the loop early.
    } finally {
      this.#wake = undefined;
    }
  }
}
