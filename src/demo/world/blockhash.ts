import { base58Of } from '../../programs/layout/base58-text.ts';
import { digest } from './prng.ts';

/** The hash of a slot's block. */
export function blockhashOf(seed: string, slot: bigint): string {
  return base58Of(digest(seed, 'block', String(slot)));
}
