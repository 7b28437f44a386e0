import { LRUCache } from 'lru-cache';

/** Characters of hashes and texts. A client whose document was evicted sends it again. */
const MAX_CHARACTERS = 2_000_000;

/** Documents that clients have registered, by hash. No single one may take more than a tenth. */
export function createRegisteredOperations(maxCharacters = MAX_CHARACTERS): LRUCache<string, string> {
  return new LRUCache({
    maxSize: maxCharacters,
    maxEntrySize: maxCharacters / 10,
    sizeCalculation: (text, hash) => hash.length + text.length,
  });
}
