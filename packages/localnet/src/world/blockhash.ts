import { base58Of } from '@sluice/protocol/layout/base58-text';
import { LRUCache } from 'lru-cache';
import { digest } from './prng.ts';

/** More than are valid at a time. */
const MAX_CACHED = 512;

/** The hash of the block of each slot. */
export function blockhashes(seed: string): (slot: bigint) => string {
  const known = new LRUCache<bigint, string>({
    max: MAX_CACHED,
    memoMethod: (slot) => base58Of(digest(seed, 'block', String(slot))),
  });
  return (slot) => known.memo(slot);
}
