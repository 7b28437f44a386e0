import { type Answer, graphqlAnswer } from './answer.ts';
import { type Document, documentText } from './document.ts';
import { download } from './download.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';
import { type StreamState, subscribe } from './subscriptions.ts';
import { type HttpAnswer, post, type TransportOptions } from './transport.ts';

export interface ClientOptions {
  /** Base URL of the gateway, for example `http://127.0.0.1:4000`. */
  readonly url: string;
  /** API key, or a function that returns the current one. Only for servers: a page would show it to its visitors. */
  readonly key?: TransportOptions['key'];
  readonly fetch?: typeof fetch;
  readonly retry?: Partial<RetryPolicy>;
  /** Limit of one attempt in milliseconds. Defaults to 20,000, somewhat over the gateway's own deadline. */
  readonly timeoutMs?: number;
  /**
   * Silence in milliseconds after which a stream is opened again. Defaults to 30,000: the gateway sends something every
   * 12 seconds.
   */
  readonly silenceMs?: number;
  /** Creates the id of a request, which is then in the gateway's log. Defaults to a random UUID. */
  readonly requestId?: () => string;
}

export interface RequestOptions {
  /** Stops the request: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SubscribeOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /** Called when the connection opens or breaks, for example to mark numbers as stale. */
  readonly onState?: (state: StreamState) => void;
}

const GRAPHQL = 'application/graphql-response+json, application/json;q=0.9';

export class SluiceClient {
  readonly url: string;
  readonly #options: TransportOptions;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(options: TransportOptions, headers: Readonly<Record<string, string>> = {}) {
    this.url = options.url;
    this.#options = options;
    this.#headers = headers;
  }

  /**
   * A client that reads this View: one state, so that numbers of several answers agree. A View is readable for about 16
   * seconds; after that a query fails with `VIEW_GONE`. Replaces the slot of `after`.
   */
  at(view: string): SluiceClient {
    return new SluiceClient(this.#options, { 'x-view': view });
  }

  /**
   * A client whose answers include everything up to this slot, for example that of a transaction that was sent. Replaces
   * the View of `at`. Subscriptions are not affected: they report the newest state.
   */
  after(slot: string): SluiceClient {
    return new SluiceClient(this.#options, { 'x-min-slot': slot });
  }

  /** Executes a query or a mutation. Throws a `SluiceError` when nothing could be answered. */
  async query<Data, Variables>(
    document: Document<Data, Variables>,
    variables: NoInfer<Variables>,
    { signal }: RequestOptions = {},
  ): Promise<Answer<Data>> {
    const headers = { ...this.#headers, accept: GRAPHQL };
    const body = { query: documentText(document), variables };
    return await post(this.#options, { path: 'graphql', body, headers, signal }, graphqlAnswer<Data>);
  }

  /** Sends a request to the REST API. @param path relative to the base URL @param parse throws what is not a result */
  async rest<Result>(
    path: string,
    body: unknown,
    parse: (answer: HttpAnswer) => Result,
    { signal }: RequestOptions = {},
  ): Promise<Result> {
    return await post(this.#options, { path, body, headers: this.#headers, signal }, parse);
  }

  /**
   * The text of a file of the REST API, as it arrives. Throws a `SluiceError` that says `retryable` when it breaks off.
   *
   * @param path relative to the base URL, with its query
   */
  file(path: string, { signal }: RequestOptions = {}): AsyncGenerator<string, void> {
    return download(this.#options, path, this.#headers, signal);
  }

  /**
   * Events of a subscription. A stream that breaks is opened again and starts with the current state; ending the loop or
   * aborting `signal` closes it. Throws a `SluiceError` that a retry cannot change.
   *
   * @example
   * for await (const { data } of client.subscribe(VALUES, { addresses }, { signal })) show(data.vaults);
   */
  subscribe<Data, Variables>(
    document: Document<Data, Variables>,
    variables: NoInfer<Variables>,
    { signal, onState }: SubscribeOptions = {},
  ): AsyncIterable<Answer<Data>> {
    return subscribe<Data>(this.#options, { query: documentText(document), variables, signal, onState });
  }
}

/**
 * Creates a client of the gateway at a URL. It keeps no connection while nothing is subscribed.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:4000' });
 * const { data } = await client.query(VAULTS, { first: 5 });
 */
export function createClient(options: ClientOptions): SluiceClient {
  return new SluiceClient({
    url: options.url,
    key: options.key ?? null,
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    retry: { ...DEFAULT_RETRY, ...options.retry },
    timeoutMs: options.timeoutMs ?? 20_000,
    silenceMs: options.silenceMs ?? 30_000,
    requestId: options.requestId ?? (() => crypto.randomUUID()),
  });
}
