/**
 * A value that rises with time, such as a slot. It may exceed its rate by a small credit, which is restored over time, so
 * that many small jumps do not add up to a large one.
 */
export class RateBoundedValue {
  readonly #creditLimit: number;
  readonly #perSecond: number;
  #value: number;
  #credit: number;
  #atMs: number;

  constructor(value: number, atMs: number, limits: { readonly credit: number; readonly perSecond: number }) {
    this.#creditLimit = limits.credit;
    this.#perSecond = limits.perSecond;
    this.#value = value;
    this.#credit = limits.credit;
    this.#atMs = atMs;
  }

  get value(): number {
    return this.#value;
  }

  /** Whether it can have risen to `next` by now. */
  allows(next: number, nowMs: number): boolean {
    return next - this.#value <= this.#allowance(nowMs);
  }

  /** Records a value. Lower ones are ignored: they are late. */
  raise(next: number, nowMs: number): void {
    if (next <= this.#value) return;
    this.#credit = Math.min(this.#creditLimit, Math.max(0, this.#allowance(nowMs) - (next - this.#value)));
    this.#value = next;
    this.#atMs = nowMs;
  }

  #allowance(nowMs: number): number {
    return this.#credit + (Math.max(0, nowMs - this.#atMs) / 1_000) * this.#perSecond;
  }
}
