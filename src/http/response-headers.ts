import { compressed, preferredCoding } from './content-coding.ts';
import type { Cors } from './cors.ts';
import type { AnswerWish } from './encoded-answer.ts';
import type { Connection } from './pipeline.ts';

type Handler = (request: Request, connection?: Connection) => Promise<Response>;
type HeaderList = Readonly<Record<string, string>>;

export interface MannersOptions {
  readonly cors: Cors;
  /** Whether clients reach the gateway by https alone. */
  readonly https: boolean;
  /** Whether an answer is for the holder of a key alone. */
  readonly private: boolean;
}

/** Nothing but the pages that say otherwise loads or runs anything, or is shown in a frame. */
const CLOSED = "default-src 'none'; frame-ancestors 'none'";
const ONE_YEAR = 'max-age=31536000; includeSubDomains';

/** What every answer says beside its content: who may read it, for how long it may be kept, what a browser may do with it. */
export class Manners {
  readonly #cors: Cors;
  readonly #private: boolean;
  readonly #always: HeaderList;

  constructor({ cors, https, private: isPrivate }: MannersOptions) {
    this.#cors = cors;
    this.#private = isPrivate;
    this.#always = {
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'content-security-policy': CLOSED,
      'cache-control': 'no-store',
      ...(https ? { 'strict-transport-security': ONE_YEAR } : {}),
    };
  }

  /** The headers of an answer that has some of its own; those go first. */
  headers(wish: AnswerWish, own: HeaderList): Record<string, string> {
    const all: Record<string, string> = { ...this.#always, ...own, ...this.#cors.headers(wish) };
    const { vary } = this.#cors;
    if (vary !== null) all.vary = all.vary === undefined ? vary : `${all.vary}, ${vary}`;
    // A store between us and many clients must not hand it to one without a key.
    if (this.#private) all['cache-control'] = (all['cache-control'] ?? '').replace(/^public\b/, 'private');
    return all;
  }

  /** A handler whose answers have them. */
  around(handle: Handler): Handler {
    return async (request, connection) => {
      const response = await handle(request, connection);
      const own = Object.fromEntries(response.headers);
      for (const [name, value] of Object.entries(this.headers(request, own)))
        response.headers.set(name, value);
      return response;
    };
  }
}

const WHOLE_JSON = /^application\/(?:graphql-response\+)?json\b/;

/** Compresses an answer that is one JSON document; a stream is let through as it comes. */
export async function compressedJson(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!WHOLE_JSON.test(headers.get('content-type') ?? '')) return response;
  headers.append('vary', 'Accept-Encoding');
  const wanted = request.headers.get('accept-encoding');
  if (wanted === null || response.body === null) return response;
  const plain = new Uint8Array(await response.arrayBuffer());
  const coding = preferredCoding(wanted, plain.byteLength);
  const bytes = coding === 'identity' ? plain : await compressed(plain, coding);
  const kept = new Headers([...headers]);
  if (coding !== 'identity') kept.set('content-encoding', coding);
  kept.set('content-length', String(bytes.byteLength));
  return new Response(bytes as BodyInit, { status, headers: kept });
}
