import { BoundedCache } from '../collections/bounded-cache.ts';
import { WeighedCache } from '../collections/weighed-cache.ts';
import { textHash } from '../programs/layout/text-hash.ts';

/** Total length of the cached documents. A parsed document takes about 100 times the memory of its text. */
const MAX_CHARACTERS = 500_000;
/** Number of texts whose hash is remembered after their first request. */
const TEXTS_MET = 10_000;

/**
 * Parsed documents by their text, so that a frontend's queries are not parsed and validated each time. A document is
 * cached on its second request, so a document that is sent once costs no memory. Bounded by the total length of the texts
 * instead of their number: a few enormous documents must not fill the memory.
 */
export class DocumentCache<T extends object> {
  readonly #documents: WeighedCache<T>;
  readonly #met = new BoundedCache<number, true>(TEXTS_MET);
  readonly #longest: number;

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#documents = new WeighedCache(maxCharacters);
    this.#longest = maxCharacters / 10;
  }

  get(text: string): T | undefined {
    return this.#documents.get(text);
  }

  set(text: string, document: T): void {
    if (text.length > this.#longest || this.#documents.has(text) || !this.#hasMet(text)) return;
    this.#documents.set(text, document, text.length);
  }

  #hasMet(text: string): boolean {
    const hash = textHash(text);
    const met = this.#met.get(hash) !== undefined;
    this.#met.set(hash, true);
    return met;
  }
}
