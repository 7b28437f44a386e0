/** Wakes a loop that waits for something to do. */
export class Bell {
  readonly #signal: AbortSignal;
  #rung = false;
  #wake: (() => void) | null = null;

  /** @param signal ends every wait */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
  }

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves when it rings, or has rung since the last wait, and after the time at the latest. */
  async wait(ms: number): Promise<void> {
    if (!this.#rung && !this.#signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = null;
    this.#rung = false;
  }
}
