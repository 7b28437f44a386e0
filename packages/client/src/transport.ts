import { Connection } from './connection.ts';
import { SluiceError } from './errors.ts';
import { type RetryPolicy, withRetries } from './retry.ts';
import { retryAfterOf } from './retry-after.ts';

export interface TransportOptions {
  /** Base URL of the gateway, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** API key, or a function that returns the current one. */
  readonly key: string | (() => string | Promise<string>) | null;
  readonly fetch: typeof fetch;
  readonly retry: RetryPolicy;
  /** Limit of one attempt in milliseconds. */
  readonly timeoutMs: number;
  /** Silence in milliseconds after which a stream is taken for broken. */
  readonly silenceMs: number;
  /** Creates the id of a request, which is then in the gateway's log. */
  readonly requestId: () => string;
}

export interface Request {
  /** Relative to the base URL. */
  readonly path: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
}

/** An answer whose body is complete. */
export interface HttpAnswer {
  readonly status: number;
  /** The JSON of the body. Undefined when it is something else. */
  readonly json: unknown;
  /** Seconds to wait before a retry. Null without the header. */
  readonly retryAfter: number | null;
  readonly requestId: string;
}

/** Sends a request, with retries, each with the same request id. @param parse throws the error that an answer has */
export async function post<Result>(
  options: TransportOptions,
  request: Request,
  parse: (answer: HttpAnswer) => Result,
): Promise<Result> {
  const requestId = options.requestId();
  const attempt = async () => {
    const connection = new Connection(requestId, request.signal);
    return parse(await open(options, request, connection, (response) => answerOf(response, requestId)));
  };
  return await withRetries(attempt, options.retry, request.signal);
}

/** Makes one attempt. @param read reads of the response what must be there within the limit of an attempt */
export async function open<Result>(
  { url, key, fetch, timeoutMs }: TransportOptions,
  { path, body, headers }: Request,
  connection: Connection,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  const target = urlOf(url, path);
  const init = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': connection.requestId,
      ...(await keyHeaders(key)),
      ...headers,
    },
    body: JSON.stringify(body),
    signal: connection.signal,
  };
  return await connection.within(timeoutMs, async () => read(await fetch(target, init)));
}

export async function answerOf(response: Response, requestId: string): Promise<HttpAnswer> {
  return {
    status: response.status,
    json: parsedJson(await response.text()),
    retryAfter: retryAfterOf(response.headers),
    requestId: response.headers.get('x-request-id') ?? requestId,
  };
}

/** An answer that is not one of a gateway: a proxy in front of it may have sent it. */
export function badAnswer({ status, retryAfter, requestId }: HttpAnswer): SluiceError {
  return new SluiceError(`The answer with status ${status} is not one of a gateway.`, {
    code: 'BAD_ANSWER',
    retryable: status >= 500 || status === 429 || status === 408,
    context: { status, ...(retryAfter === null ? {} : { retryAfter }) },
    requestId,
  });
}

export async function keyHeaders(key: TransportOptions['key']): Promise<Record<string, string>> {
  const current = typeof key === 'function' ? await key() : key;
  return current === null ? {} : { authorization: `Bearer ${current}` };
}

/** A gateway may be served below a path: `https://example.com/sluice` has `https://example.com/sluice/graphql`. */
export function urlOf(base: string, path: string): URL {
  return new URL(path, base.endsWith('/') ? base : `${base}/`);
}

/** Undefined for text that is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
