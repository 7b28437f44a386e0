import type { AnswerWish } from './encoded-answer.ts';

/** Any origin, or the named ones. */
export type AllowedOrigins = '*' | readonly string[];

/** What scripts of other origins may read beside the few headers that every browser shows. */
const EXPOSED =
  'ETag, X-View, X-Slot, X-Error-Code, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate';
const METHODS = 'GET, HEAD, POST, OPTIONS';
/** How long a browser need not ask again, in seconds; browsers cut it as they like. */
const PREFLIGHT_HOLDS_SECONDS = '7200';
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/;
const MAX_HEADER_NAMES_LENGTH = 1_000;

/** Which pages of other origins may read answers. Credentials of a browser are never asked for. */
export class Cors {
  readonly #origins: AllowedOrigins;

  constructor(origins: AllowedOrigins) {
    this.#origins = origins;
  }

  /** What every answer to this caller carries, beside `Vary`. */
  headers({ headers }: AnswerWish): Readonly<Record<string, string>> {
    if (this.#origins === '*') return ANYBODY;
    const origin = headers.get('origin');
    if (origin === null || !this.#origins.includes(origin)) return {};
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED };
  }

  /** Whether pages of an origin may read answers. */
  allows(origin: string | null): boolean {
    return this.#origins === '*' || (origin !== null && this.#origins.includes(origin));
  }

  /** With a list, an answer for one origin is no answer for another. */
  get vary(): string | null {
    return this.#origins === '*' ? null : 'Origin';
  }

  static isPreflight({ method, headers }: Request): boolean {
    return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
  }

  /** An origin that is not allowed gets an answer without permissions, which its browser takes for a no. */
  preflight(request: Request): Response {
    const wanted = request.headers.get('access-control-request-headers') ?? '';
    const named = wanted.length <= MAX_HEADER_NAMES_LENGTH && HEADER_NAMES.test(wanted) ? wanted : '';
    const allowed = this.headers(request)['access-control-allow-origin'] !== undefined;
    return new Response(null, {
      status: 204,
      headers: {
        vary: 'Access-Control-Request-Headers',
        ...(allowed
          ? { 'access-control-allow-methods': METHODS, 'access-control-max-age': PREFLIGHT_HOLDS_SECONDS }
          : {}),
        ...(allowed && named !== '' ? { 'access-control-allow-headers': named } : {}),
      },
    });
  }
}

const ANYBODY = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED };
