/** Wakes a loop that waits for something to do. */
export class WakeSignal {
  readonly #signal: AbortSignal;
  #woken = false;
  #resume: (() => void) | null = null;

  /** @param signal ends every wait */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#resume?.(), { once: true });
  }

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** Resolves when woken, also if that was since the last wait, and after the time at the latest. */
  async wait(ms: number): Promise<void> {
    if (!this.#woken && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#resume = null;
    this.#woken = false;
  }
}
