import { SluiceError } from '../errors/sluice-error.ts';
import type { ApiKey } from './keys/api-key.ts';
import type { Found, KeyRing } from './keys/key-ring.ts';

/** Why a request is not let in by its key, in one word for metrics and as it is told. */
export interface Rejection {
  readonly reason: string;
  readonly error: SluiceError;
}

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: ApiKey }
  /** A key that nobody can tell of yet. */
  | { readonly kind: 'unread' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

const NONE: Credentials = { kind: 'none' };
const UNREAD: Credentials = { kind: 'unread' };
const BEARER = /^Bearer +(\S+) *$/i;

const WORDS: Readonly<Record<'malformed' | 'unknown' | 'revoked', string>> = {
  malformed: 'What was sent as a key has not the form of one',
  unknown: 'The key is not known here',
  revoked: 'The key was revoked',
};

/** The key that a request shows, in `Authorization: Bearer` or `X-Api-Key`. */
export function credentialsOf(headers: Pick<Headers, 'get'>, keys: KeyRing): Credentials {
  const authorization = headers.get('authorization');
  const plain = headers.get('x-api-key');
  if (authorization === null && plain === null) return NONE;
  const bearer = authorization === null ? undefined : BEARER.exec(authorization)?.[1];
  const text = authorization === null ? plain : bearer;
  const found = keys.find(text ?? '');
  if (!('key' in found)) return notFound(found);
  const { key } = found;
  if (key.origins.length > 0 && !key.origins.includes(headers.get('origin') ?? '')) {
    const told = 'The key is bound to pages of other origins';
    return { kind: 'rejected', rejection: rejected('origin', told) };
  }
  return { kind: 'key', key };
}

/**
 * The token of a request for a stream, which a browser's EventSource can put nowhere but into the URL; null without one.
 * It opens streams alone: in URLs things are seen that headers hide.
 */
export function streamTokenIn(headers: Pick<Headers, 'get'>, target: string): string | null {
  const queryAt = target.indexOf('?');
  if (queryAt === -1 || !(headers.get('accept') ?? '').includes('text/event-stream')) return null;
  return new URLSearchParams(target.slice(queryAt)).get('token');
}

/** The key that a token was made for. Where it may be used was looked at when it was made. */
export function tokenCredentials(keyId: string | null, keys: KeyRing): Credentials {
  if (keyId === null) {
    const told = 'The stream token is not one of this gateway, or its time is over';
    return { kind: 'rejected', rejection: rejected('token', told) };
  }
  const found = keys.named(keyId);
  return 'key' in found ? { kind: 'key', key: found.key } : notFound(found);
}

export const KEY_MISSING: Rejection = rejected(
  'missing',
  'This gateway wants a key: send it as Authorization: Bearer or X-Api-Key',
);

export const KEYS_UNREAD: Rejection = { reason: 'unread', error: new SluiceError('KEYS_UNAVAILABLE', {}) };

function notFound({ why }: Exclude<Found, { key: ApiKey }>): Credentials {
  return why === 'unread' ? UNREAD : { kind: 'rejected', rejection: rejected(why, WORDS[why]) };
}

function rejected(reason: string, told: string): Rejection {
  return { reason, error: new SluiceError('UNAUTHENTICATED', { reason: told }) };
}
