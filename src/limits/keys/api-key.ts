import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** An API key as stored: a hash instead of the secret. */
export interface ApiKey {
  /** Public. Identifies the key, also in lists and metrics. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret. The secret has 256 random bits, so a slow hash would add no protection. */
  readonly hash: Buffer;
  /** Cost allowed per minute; 0 for no limit. */
  readonly limit: number;
  /** Origins that may use the key; empty for any caller. */
  readonly origins: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface NewKey {
  readonly name: string;
  readonly limit: number;
  readonly origins: readonly string[];
}

const FORMAT = /^sluice_([0-9a-f]{16})_([\w-]{43})$/;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** A new key and its text, which is not stored anywhere and cannot be recovered. */
export function makeKey(newKey: NewKey, now: Date): { readonly key: ApiKey; readonly text: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const key = { ...newKey, id, hash: hashOf(secret), createdAt: now, revokedAt: null };
  return { key, text: `sluice_${id}_${secret}` };
}

/** Splits the text of a key; undefined when it is malformed. */
export function parseKey(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORMAT.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Compares in constant time. */
export function isSecretOf(key: ApiKey, secret: string): boolean {
  return timingSafeEqual(key.hash, hashOf(secret));
}
