import { pauseFor } from '../../node/pause-for.ts';
import { backOffMs, exhaustedMs, LONGEST_WAIT_MS, Pace, retryAfterMs } from './pace.ts';

/** What became of a question. `unusable`: another question may do better; `failed`: the next would fare no better. */
export type SourceAnswer =
  | { readonly kind: 'body'; readonly body: unknown }
  | { readonly kind: 'unusable' | 'failed'; readonly reason: string };

export interface SourceOptions {
  readonly url: URL;
  readonly requestsPerSecond: number;
  readonly signal: AbortSignal;
  /** The shortest wait after a failed attempt; each further one is twice as long. */
  readonly backOffBaseMs: number;
}

const MOST_ATTEMPTS = 6;
const MOST_REDIRECTS = 3;
const TIMEOUT_MS = 60_000;
/** After decompression; a month of hours of a vault with many reserves has about five. */
const MOST_BYTES = 64_000_000;
/** The only statuses of the 400s that are not an answer to what was asked. */
const PASSING = [408, 425, 429];

/** One try: an answer, or what to do after it. */
type Attempt =
  | SourceAnswer
  | { readonly kind: 'retry'; readonly reason: string; readonly waitMs: number | null };

/** Another deployment, asked politely: one question at a time, at a steady pace, and again when it could not answer. */
export class Source {
  /** Its URL without credentials, the same for the same deployment. */
  readonly name: string;
  /** How many questions were sent. */
  requests = 0;
  readonly #options: SourceOptions;
  readonly #pace: Pace;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: SourceOptions) {
    const { url, requestsPerSecond, signal } = options;
    this.#options = options;
    this.name = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
    this.#pace = new Pace(requestsPerSecond, signal);
    this.#headers = { accept: 'application/json', ...credentials(url) };
  }

  async get(path: string, query: Readonly<Record<string, string>> = {}): Promise<SourceAnswer> {
    const url = new URL(`${this.name}${path}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const { signal, backOffBaseMs } = this.#options;
    let reason = '';
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
      await this.#pace.turn();
      if (signal.aborted) return { kind: 'failed', reason: 'stopped' };
      const tried = await this.#try(url);
      if (tried.kind !== 'retry') return tried;
      reason = tried.reason;
      const waitMs = tried.waitMs ?? backOffMs(attempt, backOffBaseMs);
      if (waitMs > LONGEST_WAIT_MS) {
        return {
          kind: 'failed',
          reason: `${reason}; it asks to come back in ${Math.ceil(waitMs / 60_000)} minutes`,
        };
      }
      if (attempt < MOST_ATTEMPTS) await pauseFor(waitMs, signal);
    }
    return { kind: 'failed', reason: `${reason}; given up after ${MOST_ATTEMPTS} attempts` };
  }

  async #try(url: URL): Promise<Attempt> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await this.#send(url, AbortSignal.any([timeout, this.#options.signal]));
      if (typeof response === 'string') return { kind: 'failed', reason: response };
      this.#pace.holdFor(Math.min(exhaustedMs(response.headers), LONGEST_WAIT_MS));
      return await answerOf(response);
    } catch (error) {
      const reason = timeout.aborted ? `no answer within ${TIMEOUT_MS / 1_000} s` : failureOf(error);
      return { kind: 'retry', reason, waitMs: null };
    }
  }

  /** Follows redirects within the deployment; a text says why one is not followed. */
  async #send(first: URL, signal: AbortSignal): Promise<Response | string> {
    let url = first;
    for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
      this.requests += 1;
      const response = await fetch(url, { headers: this.#headers, redirect: 'manual', signal });
      const location = response.headers.get('location');
      if (response.status < 300 || response.status >= 400 || location === null) return response;
      await response.body?.cancel();
      if (!URL.canParse(location, url)) return 'it redirects to something that is no URL';
      url = new URL(location, url);
      if (url.origin !== first.origin)
        return `it redirects to another host, ${url.origin}: name that one with --from`;
    }
    return `it redirects more than ${MOST_REDIRECTS} times`;
  }
}

async function answerOf(response: Response): Promise<Attempt> {
  const { status, headers } = response;
  if (status >= 500 || PASSING.includes(status)) {
    await response.body?.cancel();
    return { kind: 'retry', reason: `status ${status}`, waitMs: retryAfterMs(headers, Date.now()) };
  }
  if (status !== 200) {
    await response.body?.cancel();
    return { kind: 'failed', reason: `status ${status}` };
  }
  const text = await textOf(response);
  if (text === null) return { kind: 'unusable', reason: `it is larger than ${MOST_BYTES / 1_000_000} MB` };
  try {
    return { kind: 'body', body: JSON.parse(text) };
  } catch {
    return { kind: 'unusable', reason: 'it is not JSON' };
  }
}

/** Null when it is too large; the rest is not read. */
async function textOf({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let bytes = 0; ; ) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) return Buffer.concat(chunks).toString('utf8');
    bytes += chunk.value.length;
    if (bytes > MOST_BYTES) {
      await reader?.cancel();
      return null;
    }
    chunks.push(chunk.value);
  }
}

/** `fetch` refuses a URL with credentials; they belong into a header. */
function credentials({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** A code of the system alone: its own words may hold the URL. */
function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'the connection failed';
  return `no answer (${code})`;
}
