/** Of all documents in the cache. A tree takes about a hundred times the memory of its text. */
const MAX_CHARACTERS = 500_000;

/**
 * Parsed documents by their text, so that a frontend's queries are parsed and validated once. Bounded by the length of the
 * texts and not by their number: a few enormous documents must not fill the memory.
 */
export class DocumentCache<T extends object> {
  readonly #documents = new Map<string, T>();
  readonly #maxCharacters: number;
  #characters = 0;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#maxCharacters = maxCharacters;
  }

  get(text: string): T | undefined {
    const document = this.#documents.get(text);
    if (document !== undefined) {
      this.#documents.delete(text);
      this.#documents.set(text, document);
    }
    return document;
  }

  set(text: string, document: T): void {
    if (text.length > this.#maxCharacters / 10 || this.#documents.has(text)) return;
    this.#documents.set(text, document);
    this.#characters += text.length;
    // A map is in the order of insertion: the first is the one that was not used for longest.
    for (const [oldest] of this.#documents) {
      if (this.#characters <= this.#maxCharacters) return;
      this.#documents.delete(oldest);
      this.#characters -= oldest.length;
    }
  }
}
