import { textHash } from '@sluice/protocol/layout/text-hash';
import { LRUCache } from 'lru-cache';
import { growingLru } from '../node/growing-lru.ts';

/** Total length of the cached documents. A parsed document takes about 100 times the memory of its text. */
const MAX_CHARACTERS = 500_000;
/** Number of texts whose hash is remembered after their first request. */
const MAX_SEEN_TEXTS = 10_000;

/**
 * Parsed documents by their text, so that a frontend's queries are not parsed and validated each time. A document is
 * cached on its second request, so a document that is sent once costs no memory. Bounded by the total length of the texts
 * instead of their number: a few enormous documents must not fill the memory.
 */
export class DocumentCache<T extends object> {
  readonly #documents: LRUCache<string, T>;
  readonly #seen = growingLru<number, true>(MAX_SEEN_TEXTS);

  constructor(maxCharacters = MAX_CHARACTERS) {
    this.#documents = new LRUCache({
      maxSize: maxCharacters,
      maxEntrySize: maxCharacters / 10,
      sizeCalculation: (_, text) => text.length,
    });
  }

  get(text: string): T | undefined {
    return this.#documents.get(text);
  }

  set(text: string, document: T): void {
    if (this.#documents.has(text) || !this.#wasSeen(text)) return;
    this.#documents.set(text, document);
  }

  #wasSeen(text: string): boolean {
    const hash = textHash(text);
    const seen = this.#seen.has(hash);
    this.#seen.set(hash, true);
    return seen;
  }
}
