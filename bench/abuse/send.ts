import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Attack } from './targets.ts';

export interface Answered {
  /** 0 without a whole answer. */
  readonly status: number;
  /** From sending to the last byte. */
  readonly ms: number;
  readonly bytes: number;
  /** Seconds after which a refused request may be sent again. */
  readonly retryAfter: number;
}

/** The client gives up long after the gateway should have answered. */
const GIVE_UP_MS = 60_000;

/** Sends requests on behalf of many clients over reused connections. */
export class Sender {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(url: string) {
    this.#url = new URL(url);
  }

  async send(attack: Attack, client: string): Promise<Answered> {
    const started = performance.now();
    let [status, bytes, retryAfter] = [0, 0, 0];
    try {
      const response = await this.#open(attack, client, 'application/json', AbortSignal.timeout(GIVE_UP_MS));
      retryAfter = Number(response.headers['retry-after'] ?? 0);
      for await (const chunk of response) bytes += (chunk as Buffer).length;
      status = response.statusCode ?? 0;
    } catch {
      // No whole answer: the gateway closed the connection, or the client gave up.
      status = 0;
    }
    return { status, ms: performance.now() - started, bytes, retryAfter };
  }

  /** Opens a stream and reads it until the signal is aborted. Resolves to the status of the answer. */
  async stream(attack: Attack, client: string, signal: AbortSignal): Promise<number> {
    const response = await this.#open(attack, client, 'text/event-stream', signal);
    response.on('error', () => undefined);
    response.resume();
    return response.statusCode ?? 0;
  }

  close(): void {
    this.#agent.destroy();
  }

  #open(
    { method, target, body }: Attack,
    client: string,
    accept: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const { hostname: host, port } = this.#url;
      const headers = {
        accept,
        'x-forwarded-for': client,
        ...(body === null
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
      };
      const options = { host, port, path: target, method, headers, agent: this.#agent, signal };
      httpRequest(options, resolve)
        .on('error', reject)
        .end(body ?? undefined);
    });
  }
}

/** Addresses of clients that no other client shares. */
export class Clients {
  #last = 0;

  next(): string {
    this.#last += 1;
    return `10.${(this.#last >> 16) & 255}.${(this.#last >> 8) & 255}.${this.#last & 255}`;
  }
}
