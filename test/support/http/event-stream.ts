import type { App } from '../../../src/app/app.ts';
import type { ChainExtension, GraphQLFailure } from '../apps/test-app.ts';

/** One event as received. */
export interface WireEvent<T> {
  readonly id: string | null;
  readonly event: string;
  readonly data: EventData<T> | null;
}

export interface EventData<T> {
  readonly data?: T;
  readonly errors?: readonly GraphQLFailure[];
  readonly extensions?: { readonly chain?: ChainExtension; readonly cost?: { readonly requested: number } };
}

export interface StreamOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A subscription read with plain `fetch`, or from a gateway in this process. */
export class EventStream<T> {
  readonly response: Response;
  /** Everything received, including comments. */
  text = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Ends the request; null in process, where ending the response is enough. */
  readonly #abort: AbortController | null;
  readonly #decoder = new TextDecoder();
  #unread = '';
  readonly #blocks: string[] = [];

  private constructor(response: Response, abort: AbortController | null) {
    if (response.body === null) throw new Error('the response has no body');
    this.response = response;
    this.#reader = response.body.getReader();
    this.#abort = abort;
  }

  static async open<T>(origin: string, query: string, options: StreamOptions = {}): Promise<EventStream<T>> {
    const abort = new AbortController();
    const headers = { 'accept-encoding': 'gzip, br', ...options.headers };
    const { signal } = abort;
    // A Request would hold the signal weakly, and not be aborted once it is collected.
    const response = await fetch(`${origin}/graphql`, { ...askFor(query, { ...options, headers }), signal });
    return new EventStream<T>(response, abort);
  }

  /** Without a socket, so events arrive uncompressed: nothing here would decode them. */
  static async openInProcess<T>(
    app: Pick<App, 'fetch'>,
    query: string,
    options: StreamOptions = {},
  ): Promise<EventStream<T>> {
    const response = await app.fetch(new Request('http://sluice.test/graphql', askFor(query, options)));
    return new EventStream<T>(response, null);
  }

  /** The next event; null when the stream has ended. */
  async next(): Promise<WireEvent<T> | null> {
    for (;;) {
      const block = this.#blocks.shift();
      if (block === undefined) {
        if (!(await this.#more())) return null;
        continue;
      }
      const fields = new Map(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]),
      );
      const event = fields.get('event');
      if (event === undefined) continue;
      const data = fields.get('data') ?? '';
      return {
        id: fields.get('id') ?? null,
        event,
        data: data === '' ? null : (JSON.parse(data) as EventData<T>),
      };
    }
  }

  /** The data of the next event. @throws when the stream ends first */
  async nextData(): Promise<EventData<T>> {
    const event = await this.next();
    if (event?.data === null || event === null) throw new Error('the stream has ended');
    return event.data;
  }

  /** The data of the first following event that matches. */
  async until(wanted: (event: EventData<T>) => boolean): Promise<EventData<T>> {
    for (;;) {
      const event = await this.nextData();
      if (wanted(event)) return event;
    }
  }

  close(): void {
    if (this.#abort === null) void this.#reader.cancel();
    else this.#abort.abort();
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (done) return false;
    const text = this.#decoder.decode(value, { stream: true });
    this.text += text;
    this.#unread += text;
    const parts = this.#unread.split('\n\n');
    this.#unread = parts.pop() ?? '';
    this.#blocks.push(...parts);
    return true;
  }
}

const askFor = (query: string, { variables = {}, headers }: StreamOptions) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
  body: JSON.stringify({ query, variables }),
});
