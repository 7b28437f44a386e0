/** A pause that doubles with each failure up to a limit. A success ends it. */
export class GrowingPause {
  readonly #firstMs: number;
  readonly #limitMs: number;
  #nextMs: number;
  #endsAt = 0;

  constructor({ firstMs, limitMs }: { readonly firstMs: number; readonly limitMs: number }) {
    this.#firstMs = firstMs;
    this.#limitMs = limitMs;
    this.#nextMs = firstMs;
  }

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  failed(): void {
    this.#endsAt = performance.now() + this.#nextMs;
    this.#nextMs = Math.min(this.#limitMs, this.#nextMs * 2);
  }

  succeeded(): void {
    this.#endsAt = 0;
    this.#nextMs = this.#firstMs;
  }
}
