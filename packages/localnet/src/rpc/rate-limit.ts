/** A token bucket: allows bursts up to its size, and a steady rate. */
export class RateLimit {
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #nowMs: () => number;
  #left: number;
  #filledAtMs: number;

  constructor(burst: number, perSecond: number, nowMs: () => number = () => performance.now()) {
    this.#burst = burst;
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#left = burst;
    this.#filledAtMs = nowMs();
  }

  /** False when the limit is reached. */
  take(): boolean {
    const now = this.#nowMs();
    const refill = ((now - this.#filledAtMs) / 1_000) * this.#perSecond;
    this.#left = Math.min(this.#burst, this.#left + refill);
    this.#filledAtMs = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
