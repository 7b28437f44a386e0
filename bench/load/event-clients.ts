import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { GraphRequest } from '../peers/queries.ts';

export interface StreamTally {
  readonly open: number;
  readonly events: number;
  readonly bytes: number;
  /** Streams that ended unexpectedly, and events with errors. */
  readonly failed: number;
  readonly wrong: readonly string[];
}

const EVENT = Buffer.from('event: next');
const ERRORS = Buffer.from('"errors":[');
const OPENED_AT_ONCE = 20;
const MAX_SAMPLES = 3;

/** Many subscribers that count their events. */
export class EventClients {
  readonly #url: URL;
  readonly #requests: ClientRequest[] = [];
  #open = 0;
  #events = 0;
  #bytes = 0;
  #failed = 0;
  #wrong: string[] = [];
  #closing = false;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async open(requests: readonly GraphRequest[]): Promise<void> {
    for (let from = 0; from < requests.length; from += OPENED_AT_ONCE) {
      await Promise.all(requests.slice(from, from + OPENED_AT_ONCE).map((each) => this.#subscribe(each)));
    }
  }

  #subscribe(request: GraphRequest): Promise<void> {
    const body = JSON.stringify(request);
    const { hostname, port } = this.#url;
    const headers = {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const options = { hostname, port, path: '/graphql', method: 'POST', headers, agent: false } as const;
      const request = httpRequest(options, (response) => {
        if (response.statusCode !== 200) {
          reject(new Error(`a subscription was answered with ${response.statusCode}`));
          return;
        }
        this.#open += 1;
        this.#listen(response);
        resolve();
      });
      request.on('error', (error) => (this.#closing ? undefined : reject(error)));
      request.end(body);
      this.#requests.push(request);
    });
  }

  #listen(response: IncomingMessage): void {
    response.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      for (let i = chunk.indexOf(EVENT); i !== -1; i = chunk.indexOf(EVENT, i + EVENT.length)) {
        this.#events += 1;
      }
      if (chunk.includes(ERRORS)) this.#fail(chunk.toString().slice(0, 300));
    });
    const ended = () => {
      this.#open -= 1;
      if (!this.#closing) this.#fail('a stream ended');
    };
    response.once('close', ended);
    // An error is followed by `close`, which counts it.
    response.on('error', () => undefined);
  }

  #fail(what: string): void {
    this.#failed += 1;
    if (this.#wrong.length < MAX_SAMPLES) this.#wrong.push(what);
  }

  take(): StreamTally {
    const tally = {
      open: this.#open,
      events: this.#events,
      bytes: this.#bytes,
      failed: this.#failed,
      wrong: this.#wrong,
    };
    this.#events = 0;
    this.#bytes = 0;
    this.#failed = 0;
    this.#wrong = [];
    return tally;
  }

  close(): void {
    this.#closing = true;
    for (const request of this.#requests) request.destroy();
  }
}
