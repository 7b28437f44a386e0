/** Of all texts together. Callers send a text again when it was forgotten. */
const MAX_CHARACTERS = 2_000_000;

/** Documents that clients have sent with their hash, by the hash; those that were not used for longest go first. */
export class LearnedOperations {
  readonly #texts = new Map<string, string>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  /** What is kept now, hashes included. */
  get characters(): number {
    return this.#characters;
  }

  get(hash: string): string | undefined {
    const text = this.#texts.get(hash);
    if (text !== undefined) {
      this.#texts.delete(hash);
      this.#texts.set(hash, text);
    }
    return text;
  }

  add(hash: string, text: string): void {
    if (this.#texts.has(hash) || text.length > this.#maxCharacters / 10) return;
    this.#texts.set(hash, text);
    this.#characters += hash.length + text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#texts.delete(oldest);
      this.#characters -= oldest.length + length;
    }
  }
}
