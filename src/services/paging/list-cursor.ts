import { createHash } from 'node:crypto';
import { type CodedError, SluiceError } from '../../errors/sluice-error.ts';

/** Position of a list item relative to the item of a cursor. */
export type Side = 'before' | 'at' | 'after';
type Listed = Exclude<Side, 'at'>;

/**
 * A place in a list. It names every item on one side of it, the side with fewer items, so that the place is known even
 * when the values that the list is sorted by have changed. Items are named by digests of three bytes.
 */
export interface ListedPlace {
  /** Id of the View that the list is sorted by; empty for a list that is read live. */
  readonly view: string;
  /** Selects the digest function. */
  readonly salt: number;
  readonly item: number;
  readonly listed: Listed;
  readonly digests: ReadonlySet<number>;
}

/** A place in a list that is too long to name its items. It is known in its View only. */
export interface IndexedPlace {
  readonly view: string;
  readonly index: number;
}

export type Place = ListedPlace | IndexedPlace;

export const isListed = (place: Place): place is ListedPlace => 'listed' in place;

/** Cursors of longer lists are valid in their View only. Limits a cursor to 4 KB; one of 360 items has at most 800 bytes. */
export const MAX_LISTED_LENGTH = 2_000;
/** A list may grow past the limit between two pages. */
const MAX_CURSOR_CHARACTERS = 8_192;
const DIGEST_BYTES = 3;
const TAG_BYTES = 8;
const SALTS = 256;
/** First byte of a cursor. */
const FORMS = ['before', 'after', 'index'] as const;

/** The side of each item, by its index in `ids`. */
export function sidesOf(place: Place, ids: readonly string[]): (index: number) => Side {
  if (!isListed(place)) return (i) => (i < place.index ? 'before' : i > place.index ? 'after' : 'at');
  const { salt, item, listed, digests } = place;
  const otherSide = listed === 'before' ? 'after' : 'before';
  return (i) => {
    const digest = digestOf(ids[i] ?? '', salt);
    return digest === item ? 'at' : digests.has(digest) ? listed : otherSide;
  };
}

export interface CursorWriterOptions {
  /** Id of the View that the list is sorted by; empty for a list that is read live. */
  readonly view: string;
  /** Fingerprint of the list, its filter and its order. */
  readonly fingerprint: string;
  /** The place from which the list was continued, and the side of this place on which the items returned so far are. */
  readonly continued?: { readonly place: Place; readonly returned: Listed } | undefined;
}

/** Writes the cursor of the item at an index of `ids`. */
export function cursorWriter(
  ids: readonly string[],
  { view, fingerprint, continued }: CursorWriterOptions,
): (index: number) => string {
  const previous = continued !== undefined && isListed(continued.place) ? continued.place : undefined;
  if (previous === undefined && ids.length > MAX_LISTED_LENGTH) {
    return (index) => sealed(fingerprint, header('index', view), uint32(index));
  }
  const salt = separatingSalt(ids, previous?.salt ?? 0);
  const digests = ids.map((id) => digestOf(id, salt));
  const gone = new Map<Listed, readonly number[]>();
  if (previous?.salt === salt && continued !== undefined) {
    // An item that has left the list is still remembered, so that it is not returned twice when it comes back.
    const present = new Set(digests);
    const absent = (digest: number) => !present.has(digest);
    gone.set(previous.listed, [...previous.digests].filter(absent));
    const { returned } = continued;
    gone.set(returned, [...(gone.get(returned) ?? []), ...[previous.item].filter(absent)]);
  }
  // Items that have left the side that is not named are forgotten, so only the other side can be named from then on. It
  // shrinks from page to page.
  const named = gone.size > 0 && previous?.listed !== continued?.returned ? previous?.listed : undefined;
  const before = gone.get('before') ?? [];
  const after = gone.get('after') ?? [];
  const bytes = bytesOf([...before, ...digests, ...after]);
  return (index) => {
    const at = (before.length + index) * DIGEST_BYTES;
    const item = bytes.subarray(at, at + DIGEST_BYTES);
    const sides = { before: bytes.subarray(0, at), after: bytes.subarray(at + DIGEST_BYTES) };
    const listed = named ?? (sides.before.length <= sides.after.length ? 'before' : 'after');
    return sealed(fingerprint, header(listed, view), Uint8Array.of(salt), item, sides[listed]);
  };
}

/** @throws CURSOR_INVALID for a cursor of another list, filter or order, and for one that was modified */
export function readListCursor(cursor: string | null | undefined, fingerprint: string): Place | undefined {
  if (cursor === null || cursor === undefined) return undefined;
  const body = unsealed(cursor, fingerprint);
  const form = FORMS[body[0] ?? -1];
  const start = 2 + (body[1] ?? 0);
  const view = body.subarray(2, start).toString('latin1');
  const rest = body.subarray(start);
  if (form === 'index' && rest.length === 4) return { view, index: rest.readUInt32BE() };
  const [salt] = rest;
  const [item, ...digests] = digestsOf(rest.subarray(1));
  if (form === undefined || form === 'index' || salt === undefined || item === undefined) {
    throw invalidCursor(cursor);
  }
  return { view, salt, item, listed: form, digests: new Set(digests) };
}

export function invalidCursor(cursor: string): CodedError {
  return new SluiceError('CURSOR_INVALID', { cursor: cursor.slice(0, 80) });
}

function header(form: (typeof FORMS)[number], view: string): Buffer {
  return Buffer.concat([Uint8Array.of(FORMS.indexOf(form), view.length), Buffer.from(view, 'latin1')]);
}

function sealed(fingerprint: string, ...parts: readonly Uint8Array[]): string {
  const body = Buffer.concat(parts);
  return Buffer.concat([tagOf(body, fingerprint), body]).toString('base64url');
}

function unsealed(cursor: string, fingerprint: string): Buffer {
  if (cursor.length > MAX_CURSOR_CHARACTERS) throw invalidCursor(cursor);
  const bytes = Buffer.from(cursor, 'base64url');
  const body = bytes.subarray(TAG_BYTES);
  // Decoding skips characters outside the alphabet.
  if (bytes.toString('base64url') !== cursor) throw invalidCursor(cursor);
  if (!bytes.subarray(0, TAG_BYTES).equals(tagOf(body, fingerprint))) throw invalidCursor(cursor);
  return body;
}

/** A checksum, not a signature: a forged cursor gives its author nothing but another page of a public list. */
function tagOf(body: Buffer, fingerprint: string): Buffer {
  return createHash('sha256').update(`${fingerprint}\n`).update(body).digest().subarray(0, TAG_BYTES);
}

/** The first salt, beginning with the given one, whose digests tell all items apart. */
function separatingSalt(ids: readonly string[], from: number): number {
  for (let i = 0; i < SALTS; i += 1) {
    const salt = (from + i) % SALTS;
    if (new Set(ids.map((id) => digestOf(id, salt))).size === ids.length) return salt;
  }
  return from;
}

/** FNV-1a, then the last step of MurmurHash3 to spread the bits, cut to three bytes. */
function digestOf(id: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let i = 0; i < id.length; i += 1) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0xff_ff_ff;
}

function bytesOf(digests: readonly number[]): Buffer {
  const bytes = Buffer.alloc(digests.length * DIGEST_BYTES);
  for (const [i, digest] of digests.entries()) bytes.writeUIntBE(digest, i * DIGEST_BYTES, DIGEST_BYTES);
  return bytes;
}

function digestsOf(bytes: Buffer): number[] {
  return Array.from({ length: Math.floor(bytes.length / DIGEST_BYTES) }, (_, i) =>
    bytes.readUIntBE(i * DIGEST_BYTES, DIGEST_BYTES),
  );
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
