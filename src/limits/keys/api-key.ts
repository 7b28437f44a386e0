import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A key as it is stored: not the secret, but what it can be compared with. */
export interface ApiKey {
  /** Public: it finds the key, and stands in lists and metrics. */
  readonly id: string;
  readonly name: string;
  /** SHA-256 of the secret. The secret has 256 bits of chance: there is nothing to guess that a slow hash would protect. */
  readonly hash: Buffer;
  /** Cost that it may spend in a minute; 0 for any. */
  readonly limit: number;
  /** Pages that may use it; empty for any caller. */
  readonly origins: readonly string[];
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

export interface KeyWish {
  readonly name: string;
  readonly limit: number;
  readonly origins: readonly string[];
}

const FORM = /^sluice_([0-9a-f]{16})_([\w-]{43})$/;

const hashOf = (secret: string) => createHash('sha256').update(secret).digest();

/** A new key and its text, which nobody can find out again. */
export function makeKey(wish: KeyWish, now: Date): { readonly key: ApiKey; readonly text: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  const key = { ...wish, id, hash: hashOf(secret), createdAt: now, revokedAt: null };
  return { key, text: `sluice_${id}_${secret}` };
}

/** The two parts of a key's text; undefined when it has another form. */
export function partsOf(text: string): { readonly id: string; readonly secret: string } | undefined {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** Takes the same time however much of it is right. */
export function isSecretOf(key: ApiKey, secret: string): boolean {
  return timingSafeEqual(key.hash, hashOf(secret));
}
