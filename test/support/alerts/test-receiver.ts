import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

/** A request that a receiver got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly message: Message;
}

export interface Message {
  readonly id: string;
  readonly alert: string;
  readonly label: string;
  readonly sequence: number;
  readonly event: string;
  readonly condition: Readonly<Record<string, string | null>>;
  readonly value: string | null;
  readonly threshold: string;
  readonly detail: string | null;
  readonly obligation: string | null;
  readonly slot: string | null;
  readonly view: string | null;
  readonly time: string;
  readonly link: string | null;
  readonly cure: { readonly query: string; readonly variables: Record<string, unknown> } | null;
}

export type Answering = (received: Received, response: ServerResponse) => void;

const ACCEPT: Answering = (_received, response) => void response.writeHead(204).end();

/** A webhook receiver on a real socket that keeps what it got. */
export class TestReceiver {
  readonly received: Received[] = [];
  readonly #server: Server;
  answer: Answering = ACCEPT;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const body = await text(request);
      const { url: path = '', headers } = request;
      const received = { path, headers, body, message: JSON.parse(body) as Message };
      this.received.push(received);
      this.answer(received, response);
    });
  }

  static async start(): Promise<TestReceiver> {
    const receiver = new TestReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  url(path = '/'): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${path}`;
  }

  /** Requests that arrived at a path. */
  at(path: string): readonly Received[] {
    return this.received.filter((each) => each.path === path);
  }

  async until(path: string, count: number): Promise<readonly Received[]> {
    await vi.waitUntil(() => this.at(path).length >= count, { timeout: 120_000, interval: 20 });
    return this.at(path);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export const acceptAll: Answering = ACCEPT;
