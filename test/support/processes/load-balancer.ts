import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Which gateway answered, for tests. */
export const BACKEND_HEADER = 'x-backend';

interface Backend {
  readonly name: string;
  readonly url: string;
}

/**
 * A round-robin load balancer. It skips a backend that refuses connections, and does not retry a request that fails
 * after it was sent.
 */
export class RoundRobin {
  readonly #server: Server;
  readonly #backends = new Map<string, Backend>();
  readonly #inFlight = new Map<string, Set<string>>();
  readonly #listeners = new Set<(backend: string, id: string) => void>();
  #turn = 0;

  private constructor() {
    this.#server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  }

  static async start(): Promise<RoundRobin> {
    const balancer = new RoundRobin();
    balancer.#server.listen(0, '127.0.0.1');
    await once(balancer.#server, 'listening');
    return balancer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds a backend or changes its address. */
  put(name: string, url: string): void {
    this.#backends.set(name, { name, url });
  }

  /** Ids of requests that a backend has not answered, and of those that are sent to it until `stop`. */
  collect(name: string): { readonly ids: ReadonlySet<string>; stop(): void } {
    const ids = new Set(this.#inFlight.get(name));
    const listener = (backend: string, id: string) => {
      if (backend === name) ids.add(id);
    };
    this.#listeners.add(listener);
    return { ids, stop: () => this.#listeners.delete(listener) };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const backends = [...this.#backends.values()];
    const first = this.#turn++;
    for (let i = 0; i < backends.length; i += 1) {
      const backend = backends[(first + i) % backends.length];
      if (backend !== undefined && (await this.#tryOne(backend, incoming, body, outgoing))) return;
    }
    outgoing.writeHead(503).end();
  }

  /** False when the backend refuses the connection. */
  #tryOne(
    { name, url }: Backend,
    incoming: IncomingMessage,
    body: Buffer,
    outgoing: ServerResponse,
  ): Promise<boolean> {
    const id = String(incoming.headers['x-request-id'] ?? '');
    const flying = this.#inFlight.get(name) ?? new Set<string>();
    this.#inFlight.set(name, flying);
    return new Promise((resolve) => {
      const { method, headers, url: target } = incoming;
      const asked = request(`${url}${target}`, { method, headers, agent: false });
      const end = (reached: boolean) => {
        flying.delete(id);
        resolve(reached);
      };
      flying.add(id);
      for (const listener of this.#listeners) listener(name, id);
      asked.on('response', (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, { ...answer.headers, [BACKEND_HEADER]: name });
        answer.pipe(outgoing);
        answer.on('end', () => end(true));
        answer.on('error', () => {
          outgoing.destroy();
          end(true);
        });
      });
      asked.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return end(false);
        if (!outgoing.headersSent) outgoing.writeHead(502, { [BACKEND_HEADER]: name });
        outgoing.end();
        end(true);
      });
      asked.end(body);
    });
  }
}
