import { createHash } from 'node:crypto';
import type { Coding } from './content-coding.ts';

/** Strong entity tags of an answer, one per coding because the bytes differ. */
export type EntityTags = Readonly<Record<Coding, string>>;

export function entityTags(bytes: Uint8Array): EntityTags {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  return { identity: `"${digest}"`, br: `"${digest}-br"`, gzip: `"${digest}-gzip"` };
}

/**
 * Whether the client already holds the answer. A stored identity form is as good as any other; a stored compressed form
 * counts only if the client would get that form now.
 */
export function alreadyHas(ifNoneMatch: string | null, tags: EntityTags, coding: Coding): boolean {
  if (ifNoneMatch === null) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(tags[coding]) || named.includes(tags.identity);
}
