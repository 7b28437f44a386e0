import type { Cors } from './cors.ts';
import type { AnswerPreferences } from './encoded-answer.ts';
import type { Handler } from './pipeline.ts';

type HeaderRecord = Readonly<Record<string, string>>;

export interface ResponseHeadersOptions {
  readonly cors: Cors;
  /** Whether clients reach the gateway by https alone. */
  readonly https: boolean;
  /** Whether every answer requires a key, so that shared caches must not store it. */
  readonly private: boolean;
  /** Whether the data is that of a localnet. */
  readonly localnet: boolean;
}

/** Loads and frames nothing; the few HTML pages send a policy of their own. */
const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** Says that the data is invented. */
const LOCALNET_HEADER = 'x-localnet';
const ONE_YEAR = 'max-age=31536000; includeSubDomains';

/** Names and values in turn, which Node's server writes faster than a record. */
export function headerList(headers: HeaderRecord): string[] {
  const list: string[] = [];
  for (const name of Object.keys(headers)) list.push(name, headers[name] ?? '');
  return list;
}

/** The headers that every response carries: security, caching and CORS. */
export class ResponseHeaders {
  readonly #cors: Cors;
  readonly #private: boolean;
  readonly #defaults: HeaderRecord;
  /** Completed headers of answers that many callers get. */
  readonly #completed = new WeakMap<HeaderRecord, readonly string[]>();

  constructor({ cors, https, private: isPrivate, localnet }: ResponseHeadersOptions) {
    this.#cors = cors;
    this.#private = isPrivate;
    this.#defaults = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': CLOSED_POLICY,
      'cache-control': 'no-store',
      ...(localnet ? { [LOCALNET_HEADER]: 'true' } : {}),
      ...(https ? { 'strict-transport-security': ONE_YEAR } : {}),
    };
  }

  /** All headers of a response; its own win over the defaults. */
  complete(preferences: AnswerPreferences, own: HeaderRecord): Record<string, string> {
    const all: Record<string, string> = { ...this.#defaults, ...own, ...this.#cors.headers(preferences) };
    const { vary } = this.#cors;
    if (vary !== null) all.vary = all.vary === undefined ? vary : `${all.vary}, ${vary}`;
    if (this.#private) all['cache-control'] = (all['cache-control'] ?? '').replace(/^public\b/, 'private');
    return all;
  }

  /**
   * `complete` for headers that belong to an answer for many callers; done once if it is the same for each of them.
   * @returns names and values in turn
   */
  completeShared(preferences: AnswerPreferences, own: HeaderRecord): readonly string[] {
    if (this.#cors.vary !== null) return headerList(this.complete(preferences, own));
    const known = this.#completed.get(own) ?? headerList(this.complete(preferences, own));
    this.#completed.set(own, known);
    return known;
  }

  /** A handler whose responses carry them. */
  around(handle: Handler): Handler {
    return async (request, connection) => {
      const response = await handle(request, connection);
      const own = Object.fromEntries(response.headers);
      for (const [name, value] of Object.entries(this.complete(request, own)))
        response.headers.set(name, value);
      return response;
    };
  }
}
