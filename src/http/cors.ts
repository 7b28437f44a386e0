import type { AnswerPreferences } from './encoded-answer.ts';

/** Any origin, or the named ones. */
export type AllowedOrigins = '*' | readonly string[];

/** Response headers that scripts of other origins may read besides those that browsers always expose. */
const EXPOSED_HEADERS =
  'ETag, X-View, X-Slot, X-Unknown, X-Complete, X-Localnet, X-Error-Code, X-Request-Id, Link, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate';
const METHODS = 'GET, HEAD, POST, OPTIONS';
/** Time for which a browser may cache a preflight; browsers have lower limits of their own. */
const PREFLIGHT_MAX_AGE_SECONDS = '7200';
const HEADER_NAMES = /^[\w-]+(?:\s*,\s*[\w-]+)*$/;
const MAX_HEADER_NAMES_LENGTH = 1_000;
const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED_HEADERS };

/** Decides which pages of other origins may read responses. Browser credentials are never allowed. */
export class Cors {
  readonly #origins: AllowedOrigins;

  constructor(origins: AllowedOrigins) {
    this.#origins = origins;
  }

  /** The CORS headers of a response, besides `Vary`. */
  headers({ headers }: Pick<AnswerPreferences, 'headers'>): Readonly<Record<string, string>> {
    if (this.#origins === '*') return ANY_ORIGIN;
    const origin = headers.get('origin');
    if (origin === null || !this.#origins.includes(origin)) return {};
    return { 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS };
  }

  /** Whether pages of an origin may read responses. */
  allows(origin: string | null): boolean {
    return this.#origins === '*' || (origin !== null && this.#origins.includes(origin));
  }

  /** With a list of origins, a response for one origin must not be reused for another. */
  get vary(): string | null {
    return this.#origins === '*' ? null : 'Origin';
  }

  static isPreflight({ method, headers }: Request): boolean {
    return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method');
  }

  /** An origin that is not allowed gets a response without permissions, which its browser treats as a denial. */
  preflight(request: Request): Response {
    const requested = request.headers.get('access-control-request-headers') ?? '';
    const isWellFormed = requested.length <= MAX_HEADER_NAMES_LENGTH && HEADER_NAMES.test(requested);
    const isAllowed = this.headers(request)['access-control-allow-origin'] !== undefined;
    return new Response(null, {
      status: 204,
      headers: {
        vary: 'Access-Control-Request-Headers',
        ...(isAllowed
          ? { 'access-control-allow-methods': METHODS, 'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS }
          : {}),
        ...(isAllowed && isWellFormed ? { 'access-control-allow-headers': requested } : {}),
      },
    });
  }
}
