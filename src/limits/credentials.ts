import { type CodedError, SluiceError } from '../errors/sluice-error.ts';
import { type ApiKey, parseKey } from './keys/api-key.ts';
import type { KeyLookup, KeyRing } from './keys/key-ring.ts';

/** Why a request's key is rejected: a short reason for metrics, and the error for the caller. */
export interface Rejection {
  readonly reason: string;
  readonly error: CodedError;
  /** Whether the key itself is wrong, as every guess is. */
  readonly isGuess: boolean;
}

export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'key'; readonly key: ApiKey }
  /** A stream token of the key. */
  | { readonly kind: 'token'; readonly key: ApiKey }
  /** A key was sent, but the keys are not loaded yet. */
  | { readonly kind: 'notLoaded' }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

const NONE: Credentials = { kind: 'none' };
const NOT_LOADED: Credentials = { kind: 'notLoaded' };
const BEARER = /^Bearer +(\S+) *$/i;
const BASIC = /^Basic +([\w+/=-]+) *$/i;

const MESSAGES: Readonly<Record<'malformed' | 'unknown' | 'revoked', string>> = {
  malformed: 'Malformed API key',
  unknown: 'Unknown API key',
  revoked: 'The key was revoked',
};

/** The key of a request, from `Authorization: Bearer` or `Basic`, or from `X-Api-Key`. */
export function credentialsOf(headers: Pick<Headers, 'get'>, keys: KeyRing): Credentials {
  const authorization = headers.get('authorization');
  const plain = headers.get('x-api-key');
  if (authorization === null && plain === null) return NONE;
  const text =
    authorization === null ? plain : (BEARER.exec(authorization)?.[1] ?? keyInBasic(authorization));
  const found = keys.find(text ?? '');
  if (!('key' in found)) return notFound(found);
  const { key } = found;
  const origin = headers.get('origin');
  if (key.origins.length > 0 && (origin === null || !key.origins.includes(origin))) {
    return { kind: 'rejected', rejection: origin === null ? ORIGIN_MISSING : ORIGIN_NOT_ALLOWED };
  }
  return { kind: 'key', key };
}

/** The key in HTTP Basic, which clients of the live service send: as the password, or as the user without one. */
function keyInBasic(authorization: string): string | undefined {
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) return undefined;
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString('latin1').split(':');
  return [password.join(':'), user].find((text) => parseKey(text) !== undefined);
}

/** The only path with streams. */
const STREAM_PATH = '/graphql';

/**
 * The token of a stream request; null without one. A browser's EventSource can only send it in the URL.
 * Tokens only open streams, because URLs leak where headers do not.
 */
export function streamTokenIn(headers: Pick<Headers, 'get'>, target: string): string | null {
  const queryAt = target.indexOf('?');
  if (queryAt === -1 || target.slice(0, queryAt) !== STREAM_PATH) return null;
  if (!(headers.get('accept') ?? '').includes('text/event-stream')) return null;
  return new URLSearchParams(target.slice(queryAt)).get('token');
}

/**
 * The origins that a request may come from; null stands for none. Browsers leave `Origin` out of a GET to the page's own
 * origin, whose scheme is unknown behind a proxy.
 */
export function originsOf(
  headers: Pick<Headers, 'get'>,
  publicOrigin: string | null,
): readonly (string | null)[] {
  const origin = headers.get('origin');
  if (origin !== null) return [origin];
  const host = headers.get('host');
  const own = host === null ? [] : [`https://${host}`, `http://${host}`];
  return [null, ...own, ...(publicOrigin === null ? [] : [publicOrigin])];
}

/** The key that a token was issued for. The key's origins were checked when it was issued. */
export function tokenCredentials(keyId: string | null, keys: KeyRing): Credentials {
  if (keyId === null) {
    const message = 'The stream token is invalid, has expired or was created for another origin';
    return { kind: 'rejected', rejection: rejected('token', message) };
  }
  const found = keys.byId(keyId);
  return 'key' in found ? { kind: 'token', key: found.key } : notFound(found);
}

export const KEY_MISSING: Rejection = rejected(
  'missing',
  'An API key is required: send it as Authorization: Bearer or X-Api-Key',
);

const ORIGIN_MISSING = rejected(
  'origin',
  'This API key is restricted to origins, and the request has no Origin header. Send Origin with one of them, or use a key without origins',
);

const ORIGIN_NOT_ALLOWED = rejected(
  'origin',
  'This API key is restricted to other origins. Use it from one of them, or use a key without origins',
);

export const KEYS_NOT_LOADED: Rejection = {
  reason: 'unread',
  error: new SluiceError('KEYS_UNAVAILABLE', {}),
  isGuess: false,
};

function notFound({ why }: Exclude<KeyLookup, { key: ApiKey }>): Credentials {
  return why === 'notLoaded'
    ? NOT_LOADED
    : { kind: 'rejected', rejection: rejected(why, MESSAGES[why], true) };
}

function rejected(reason: string, message: string, isGuess = false): Rejection {
  return { reason, error: new SluiceError('UNAUTHENTICATED', { reason: message }), isGuess };
}
