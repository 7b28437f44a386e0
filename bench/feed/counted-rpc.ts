import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Traffic {
  readonly calls: number;
  /** Bodies of requests and responses as they are on the wire. */
  readonly bytes: number;
}

/** A proxy to the chain that counts the traffic of each client and delays every call. */
export interface CountedRpc {
  /** The address that a client has to use so that its calls are counted under its name. */
  urlFor(client: string): string;
  of(client: string): Traffic;
  total(): Traffic;
  /** Resolves at the next call of the method. */
  nextCall(method: string): Promise<void>;
  stop(): Promise<void>;
}

const NONE: Traffic = { calls: 0, bytes: 0 };
const sum = (a: Traffic, b: Traffic): Traffic => ({ calls: a.calls + b.calls, bytes: a.bytes + b.bytes });

export async function startCountedRpc(target: string, delayMs: number): Promise<CountedRpc> {
  const traffic = new Map<string, Traffic>();
  const waiting = new Map<string, Set<() => void>>();
  const add = (client: string, more: Traffic) => traffic.set(client, sum(traffic.get(client) ?? NONE, more));

  const server = createServer(async (request, response) => {
    const client = (request.url ?? '').slice(1);
    const body = await buffer(request);
    const { method } = JSON.parse(body.toString()) as { method: string };
    add(client, { calls: 1, bytes: body.length });
    for (const resolve of waiting.get(method) ?? []) resolve();
    waiting.delete(method);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    const headers = {
      ...request.headers,
      host: new URL(target).host,
      'content-length': String(body.length),
    };
    const forward = () => {
      const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('data', (chunk: Buffer) => add(client, { calls: 0, bytes: chunk.length }));
        answer.pipe(response);
      });
      // The upstream may close a keep-alive connection just as it is reused.
      upstream.on('error', () => (upstream.reusedSocket ? forward() : response.destroy()));
      upstream.end(body);
    };
    forward();
  });
  // Longer than any client is idle, so that connections stay open.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (client) => `http://127.0.0.1:${port}/${client}`,
    of: (client) => traffic.get(client) ?? NONE,
    total: () => [...traffic.values()].reduce(sum, NONE),
    nextCall: (method) =>
      new Promise((resolve) => {
        waiting.set(method, (waiting.get(method) ?? new Set()).add(resolve));
      }),
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
