import { LRUCache } from 'lru-cache';

/** Hashes and texts together. A client sends the text again when its hash was evicted. */
const MAX_CHARACTERS = 2_000_000;

/** Documents that clients have sent with their hash, by the hash. No single one may take more than a tenth. */
export function createLearnedOperations(maxCharacters = MAX_CHARACTERS): LRUCache<string, string> {
  return new LRUCache({
    maxSize: maxCharacters,
    maxEntrySize: maxCharacters / 10,
    sizeCalculation: (text, hash) => hash.length + text.length,
  });
}
