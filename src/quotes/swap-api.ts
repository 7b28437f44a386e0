import type { Address } from '@solana/kit';
import { type CodedError, SluiceError } from '../errors/sluice-error.ts';
import { boundedText } from '../node/bounded-text.ts';
import { FairSlots } from '../node/fair-slots.ts';
import { refusalAnswer, swapAnswer } from './answer.ts';
import { checkedQuote, quoteRefused } from './check-answer.ts';
import type { Quote, QuoteRequest, QuoteSource } from './quote-source.ts';

export interface SwapApiOptions {
  /** Of the API, without `/swap/v2/build`. */
  readonly url: string;
  /** Sent as `x-api-key`; empty for none. */
  readonly apiKey: string;
  /** The program that its swaps may call. */
  readonly router: Address;
  readonly timeoutMs: number;
  /** Most concurrent requests, of which a caller may have half. */
  readonly concurrency: number;
  /** Milliseconds from any origin. */
  readonly now?: () => number;
}

const MAX_BYTES = 500_000;
const LANE = { lane: 'quotes' } as const;
/** Without a better answer, a limit is over after this long, and never later than the window of the API. */
const LIMITED_MS = 5_000;
const MAX_LIMITED_MS = 60_000;
/** The program needs about a dozen accounts for the loan, and a transaction has room for 64. */
const MAX_ACCOUNTS = 40;

/** Quotes of the swap API of Jupiter, `GET /swap/v2/build`. */
export class SwapApi implements QuoteSource {
  readonly #options: SwapApiOptions;
  readonly #now: () => number;
  readonly #slots: FairSlots;
  /** When the API accepts requests again. */
  #limitedUntil = Number.NEGATIVE_INFINITY;

  constructor(options: SwapApiOptions) {
    const { concurrency, now = () => performance.now() } = options;
    this.#options = options;
    this.#now = now;
    const perCaller = Math.ceil(concurrency / 2);
    this.#slots = new FairSlots({ total: concurrency, perLane: concurrency, perCaller }, [LANE.lane]);
  }

  async quote(request: QuoteRequest, signal: AbortSignal): Promise<Quote> {
    const claimant = { ...LANE, caller: request.caller };
    await this.#slots.acquire(claimant, signal);
    try {
      const limitedMs = this.#limitedUntil - this.#now();
      if (limitedMs > 0) throw limited(limitedMs);
      const { status, body } = await this.#get(urlOf(this.#options.url, request), signal);
      if (status === 400) throw quoteRefused(`the swap API refused it (${refusalOf(body)})`);
      const answer = swapAnswer.safeParse(body);
      if (!answer.success) {
        const [issue] = answer.error.issues;
        throw unavailable(`its answer is malformed at ${issue?.path.join('.') ?? 'the top'}`);
      }
      return checkedQuote(answer.data, request, this.#options.router);
    } finally {
      this.#slots.release(claimant);
    }
  }

  async #get(url: URL, signal: AbortSignal): Promise<{ readonly status: number; readonly body: unknown }> {
    const { apiKey, timeoutMs } = this.#options;
    const timeout = AbortSignal.timeout(timeoutMs);
    const headers = { accept: 'application/json', ...(apiKey === '' ? {} : { 'x-api-key': apiKey }) };
    let response: Response;
    let text: string | null;
    try {
      // A redirect would send the key to another host.
      response = await fetch(url, {
        headers,
        redirect: 'manual',
        signal: AbortSignal.any([timeout, signal]),
      });
      text = await boundedText(response, MAX_BYTES);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw unavailable(timeout.aborted ? `no answer within ${timeoutMs} ms` : failureOf(error));
    }
    const { status } = response;
    if (status === 429) {
      const limitedMs = resetMs(response.headers);
      this.#limitedUntil = this.#now() + limitedMs;
      throw limited(limitedMs);
    }
    if (status !== 200 && status !== 400) throw unavailable(`it answered with status ${status}`);
    if (text === null) throw unavailable(`its answer is larger than ${MAX_BYTES} bytes`);
    try {
      return { status, body: JSON.parse(text) };
    } catch {
      throw unavailable('its answer is not JSON');
    }
  }
}

function urlOf(base: string, { wallet, sold, bought, inAmount, slippageBps }: QuoteRequest): URL {
  const url = new URL(`${base.replace(/\/+$/, '')}/swap/v2/build`);
  const query = {
    inputMint: sold.mint,
    outputMint: bought.mint,
    amount: String(inAmount),
    taker: wallet,
    slippageBps: String(slippageBps),
    maxAccounts: String(MAX_ACCOUNTS),
    // The action wraps and unwraps SOL by itself.
    wrapAndUnwrapSol: 'false',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

/** Text of a third party, shortened for a message. */
function refusalOf(body: unknown): string {
  const answer = refusalAnswer.safeParse(body);
  const text = answer.success ? answer.data.error : '';
  return text.replace(/[^\w .,:;-]/g, '').slice(0, 120) || 'without a reason';
}

/** Until the window of the rate limit is over, which the API states as unix time. */
function resetMs(headers: Headers): number {
  const reset = headers.get('x-ratelimit-reset') ?? '';
  const waitMs = /^\d{1,12}$/.test(reset) ? Number(reset) * 1_000 - Date.now() : LIMITED_MS;
  return Math.min(Math.max(waitMs, 1_000), MAX_LIMITED_MS);
}

const limited = (waitMs: number): CodedError =>
  new SluiceError('QUOTE_UNAVAILABLE', {
    reason: 'it accepts no more requests for a while',
    retryAfter: Math.max(1, Math.ceil(waitMs / 1_000)),
  });

const unavailable = (reason: string): CodedError =>
  new SluiceError('QUOTE_UNAVAILABLE', { reason, retryAfter: 1 });

/** Only the system error code: a message may contain the URL. */
function failureOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'connection failed';
  return `no answer (${code})`;
}
