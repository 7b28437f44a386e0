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

/** A subscription read with plain `fetch`. */
export class EventStream<T> {
  readonly response: Response;
  /** Everything received, including comments. */
  text = '';
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #abort: AbortController;
  readonly #decoder = new TextDecoder();
  #unread = '';
  readonly #blocks: string[] = [];

  private constructor(response: Response, abort: AbortController) {
    if (response.body === null) throw new Error('the response has no body');
    this.response = response;
    this.#reader = response.body.getReader();
    this.#abort = abort;
  }

  static async open<T>(origin: string, query: string, options: StreamOptions = {}): Promise<EventStream<T>> {
    const abort = new AbortController();
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'accept-encoding': 'gzip, br',
        ...options.headers,
      },
      body: JSON.stringify({ query, variables: options.variables ?? {} }),
      signal: abort.signal,
    });
    return new EventStream<T>(response, abort);
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
    this.#abort.abort();
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
