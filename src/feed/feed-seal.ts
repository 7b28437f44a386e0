import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

export const TAG_BYTES = 32;

/** Kinds of data that are sealed. A tag of one is not valid for another. */
export type Sealed =
  | 'changes'
  | 'whole'
  | 'progress'
  | 'ask'
  | 'positions'
  | 'positions-part'
  | 'positions-manifest';

const derived = (secret: string, purpose: string, bytes: number) =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, bytes));

/** Tells feeds of different secrets apart without revealing the secret. */
export const secretId = (secret: string): string => derived(secret, 'sluice feed id', 8).toString('hex');

/** Authenticates what gateways exchange over Redis by HMAC-SHA-256. Each feed has a key derived from the shared secret. */
export class FeedSeal {
  readonly #key: Buffer;

  constructor(secret: string, feed: string) {
    this.#key = derived(secret, `sluice feed ${feed}`, TAG_BYTES);
  }

  tag(kind: Sealed, ...parts: readonly (string | Uint8Array)[]): Buffer {
    const hmac = createHmac('sha256', this.#key).update(`${kind}\n`);
    for (const part of parts) {
      // With its length, so that bytes cannot move from one part to the next.
      hmac.update(`${Buffer.byteLength(part)}\n`).update(part);
    }
    return hmac.digest();
  }

  isGenuine(tag: Uint8Array, kind: Sealed, ...parts: readonly (string | Uint8Array)[]): boolean {
    return tag.length === TAG_BYTES && timingSafeEqual(tag, this.tag(kind, ...parts));
  }
}
