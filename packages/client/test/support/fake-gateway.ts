import { createClient, type SluiceClient } from '../../src/index.ts';

export interface FakeRequest {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** The body of an answer or of an event. */
export interface Wire {
  readonly data?: unknown;
  readonly errors?: readonly object[];
  readonly extensions?: object;
}

/** Server-sent events that the test writes. */
export class FakeStream {
  readonly request: FakeRequest;
  readonly response: Response;
  isClosed = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(request: FakeRequest, signal: AbortSignal | null | undefined) {
    this.request = request;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
      },
      cancel: () => {
        this.isClosed = true;
      },
    });
    signal?.addEventListener('abort', () => {
      if (!this.isClosed) this.#controller?.error(signal.reason);
      this.isClosed = true;
    });
    this.response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  }

  next(event: Wire): void {
    this.#write(`event: next\ndata: ${JSON.stringify(event)}\n\n`);
  }

  complete(): void {
    this.#write('event: complete\ndata:\n\n');
    this.isClosed = true;
    this.#controller?.close();
  }

  #write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text));
  }
}

/** A gateway whose answers the test decides, and a client of it. */
export class FakeGateway {
  readonly requests: FakeRequest[] = [];
  readonly streams: FakeStream[] = [];
  readonly client: SluiceClient;
  answer: (request: FakeRequest) => Wire | Promise<Wire> = () => ({ data: {} });

  constructor() {
    this.client = createClient({
      url: 'http://gateway.test',
      fetch: (_input, init) => this.#fetch(init ?? {}),
    });
  }

  async #fetch({ body, headers, signal }: RequestInit): Promise<Response> {
    const { query, variables } = JSON.parse(String(body)) as Omit<FakeRequest, 'headers'>;
    const request = { query, variables, headers: new Headers(headers) };
    if (query.trimStart().startsWith('subscription')) {
      const stream = new FakeStream(request, signal);
      this.streams.push(stream);
      return stream.response;
    }
    this.requests.push(request);
    return Response.json(await this.answer(request));
  }
}

/** An answer that was read at a slot. */
export const wireAt = (slot: number, data: unknown, errors: readonly object[] = []): Wire => ({
  data,
  ...(errors.length > 0 ? { errors } : {}),
  extensions: { chain: { view: `view-${slot}`, slot: String(slot), builtAt: '2026-01-01T00:00:00.000Z' } },
});
