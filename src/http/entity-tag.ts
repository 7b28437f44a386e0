import { createHash } from 'node:crypto';
import type { Coding } from './content-coding.ts';

/** Strong tags of an answer, one for each form: forms differ in their bytes. */
export type EntityTags = Readonly<Record<Coding, string>>;

export function entityTags(bytes: Uint8Array): EntityTags {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return { identity: `"${digest}"`, br: `"${digest}-br"`, gzip: `"${digest}-gzip"` };
}

/**
 * Whether the caller already has the answer. The plain form serves in place of any other; a compressed form serves only
 * a caller that would get it now.
 */
export function alreadyHas(ifNoneMatch: string | null, tags: EntityTags, coding: Coding): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(tags[coding]) || named.includes(tags.identity);
}
