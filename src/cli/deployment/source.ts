import { boundedText } from '../../node/bounded-text.ts';
import { Pacer } from '../../node/pacer.ts';
import { pauseFor } from '../../node/pause-for.ts';
import { backoffMs, exhaustedMs, MAX_WAIT_MS, retryAfterMs } from './retry.ts';

/**
 * The outcome of a request. `unusable`: another request may succeed; `failed`: further requests would fail as
 * well.
 */
export type SourceAnswer =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'unusable' | 'failed'; readonly reason: string };

export interface SourceOptions {
  readonly url: URL;
  readonly requestsPerSecond: number;
  readonly signal: AbortSignal;
  /** The wait after the first failed attempt; it doubles with each further one. */
  readonly backoffBaseMs: number;
}

const MAX_ATTEMPTS = 6;
const MAX_REDIRECTS = 3;
const TIMEOUT_MS = 60_000;
/** After decompression. A month of hours of a vault with many reserves is about 5 MB. */
const MAX_BYTES = 64_000_000;
/** The temporary statuses among the 4xx. */
const TEMPORARY = [408, 425, 429];

/** One attempt: an outcome, or a retry after a wait. */
type Attempt =
  | SourceAnswer
  | { readonly kind: 'retry'; readonly reason: string; readonly waitMs: number | null };

/** The other deployment. Sends one request at a time, at a steady rate, with retries. */
export class Source {
  /** Its URL without credentials. Identifies the deployment across runs. */
  readonly name: string;
  /** The number of requests sent. */
  requests = 0;
  readonly #options: SourceOptions;
  readonly #pacer: Pacer;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: SourceOptions) {
    const { url, requestsPerSecond } = options;
    this.#options = options;
    this.name = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    this.#pacer = new Pacer({ perSecond: requestsPerSecond });
    this.#headers = { accept: 'application/json', ...credentials(url) };
  }

  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<SourceAnswer> {
    const url = new URL(`${this.name}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { signal, backoffBaseMs } = this.#options;
    let reason = '';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      if (!(await this.#isTurn(signal))) return { kind: 'failed', reason: 'stopped' };
      const tried = await this.#try(url);
      if (tried.kind !== 'retry') return tried;
      reason = tried.reason;
      const waitMs = tried.waitMs ?? backoffMs(attempt, backoffBaseMs);
      if (waitMs > MAX_WAIT_MS) {
        return {
          kind: 'failed',
          reason: `${reason}; the deployment asks to retry in ${Math.ceil(waitMs / 60_000)} minutes`,
        };
      }
      if (attempt < MAX_ATTEMPTS) await pauseFor(waitMs, signal);
    }
    return { kind: 'failed', reason: `${reason}; given up after ${MAX_ATTEMPTS} attempts` };
  }

  /** Waits until the next request may be sent. False when the run is being stopped. */
  async #isTurn(signal: AbortSignal): Promise<boolean> {
    await this.#pacer.turn({ caller: '' }, signal).catch(() => undefined);
    return !signal.aborted;
  }

  async #try(url: URL): Promise<Attempt> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await this.#send(url, AbortSignal.any([timeout, this.#options.signal]));
      if (typeof response === 'string') return { kind: 'failed', reason: response };
      this.#pacer.holdFor(Math.min(exhaustedMs(response.headers), MAX_WAIT_MS));
      return await answerOf(response);
    } catch (error) {
      const reason = timeout.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : failureOf(error);
      return { kind: 'retry', reason, waitMs: null };
    }
  }

  /** Follows redirects within the deployment. A string is the reason why one was not followed. */
  async #send(first: URL, signal: AbortSignal): Promise<Response | string> {
    let url = first;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      this.requests += 1;
      const response = await fetch(url, { headers: this.#headers, redirect: 'manual', signal });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      if (!URL.canParse(location, url)) return 'redirected to an invalid URL';
      url = new URL(location, url);
      if (url.origin !== first.origin)
        return `redirected to another host: pass --from ${url.origin} to import from it`;
    }
    return `redirected more than ${MAX_REDIRECTS} times`;
  }
}

async function answerOf(response: Response): Promise<Attempt> {
  const { status, headers } = response;
  if (status >= 500 || TEMPORARY.includes(status)) {
    await response.body?.cancel();
    return { kind: 'retry', reason: `status ${status}`, waitMs: retryAfterMs(headers, Date.now()) };
  }
  if (status !== 200) {
    await response.body?.cancel();
    return { kind: 'failed', reason: `status ${status}` };
  }
  const text = await boundedText(response, MAX_BYTES);
  if (text === null) return { kind: 'unusable', reason: `larger than ${MAX_BYTES / 1_000_000} MB` };
  try {
    return { kind: 'body', body: JSON.parse(text) };
  } catch {
    return { kind: 'unusable', reason: 'not valid JSON' };
  }
}

/** `fetch` rejects URLs with credentials, so they go into a header. */
function credentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Only the system error code: the message may contain the URL. */
function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection failed';
  return `no answer (${code})`;
}
