import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One call through the proxy. */
export interface Exchange {
  readonly method: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
  /** Counts the calls since the misbehaviour began, from 1. */
  readonly nth: number;
  /** Forwards it, optionally to another RPC or with another body. */
  pass(target?: string, body?: Buffer): void;
}

export type Misbehaviour = (exchange: Exchange) => void;

const HONEST: Misbehaviour = ({ pass }) => pass();

/** An RPC proxy for calls and WebSockets with faults that a test chooses. */
export class FaultyProxy {
  readonly port: number;
  /** Whether new WebSockets are dropped. */
  refusesSockets = false;
  readonly #target: URL;
  #server: Server;
  #behaviour = HONEST;
  #nth = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(target: URL, server: Server, port: number) {
    this.#target = target;
    this.#server = server;
    this.port = port;
  }

  static async start(target: string): Promise<FaultyProxy> {
    const server = createServer();
    await listening(server, 0);
    const proxy = new FaultyProxy(new URL(target), server, (server.address() as AddressInfo).port);
    proxy.#serve(server);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port}`;
  }

  /** Number of calls affected by the current misbehaviour. */
  get met(): number {
    return this.#nth;
  }

  misbehave(behaviour: Misbehaviour): void {
    this.#behaviour = behaviour;
    this.#nth = 0;
  }

  heal(): void {
    this.misbehave(HONEST);
    this.refusesSockets = false;
  }

  /** Stops listening at its address. */
  async die(): Promise<void> {
    if (!this.#server.listening) return;
    this.dropSockets();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Listens at the same address again. */
  async revive(): Promise<void> {
    if (this.#server.listening) return;
    const server = createServer();
    await listening(server, this.port);
    this.#serve(server);
  }

  dropSockets(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  #serve(server: Server): void {
    this.#server = server;
    server.on('request', async (request, response) => {
      const body = await buffer(request).catch(() => null);
      if (body === null) return;
      this.#nth += 1;
      const { method } = JSON.parse(body.toString()) as { method: string };
      const pass = (target = this.#target.href, changed = body) => forward(target, changed, response);
      this.#behaviour({ method, body, response, nth: this.#nth, pass });
    });
    server.on('upgrade', (request, socket: Socket, head) => {
      if (this.refusesSockets) {
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      const upstream = connect(Number(this.#target.port), this.#target.hostname, () => {
        const headers = request.rawHeaders.flatMap((name, i, all) =>
          i % 2 === 0 ? [`${name}: ${all[i + 1]}`] : [],
        );
        upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
        upstream.write(head);
        upstream.pipe(socket).pipe(upstream);
      });
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
      }
    });
  }
}

async function listening(server: Server, port: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

function forward(target: string, body: Buffer, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  upstream.end(body);
}
