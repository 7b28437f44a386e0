import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One recorded call. */
export interface ProxiedCall {
  readonly method: string;
  /** Addresses of a getMultipleAccounts call, in order. */
  readonly addresses: readonly string[];
}

/**
 * A proxy that counts RPC calls, so that a test need not rely on the gateway's own counts. It can hold
 * calls back until they are released.
 */
export interface RpcProxy {
  readonly url: string;
  readonly calls: readonly ProxiedCall[];
  /** Number of calls of a method since the last reset. */
  count(method: string): number;
  reset(): void;
  /**
   * Holds matching calls back from now on. Returns a function that releases them one after the other, each when the client
   * has read the answer before it; those that ask for the fewest accounts go first.
   */
  hold(which: (call: ProxiedCall) => boolean): () => void;
  /** Calls that are held back now. */
  held(): number;
  /** Calls whose client disconnected before the answer. */
  abandoned(): number;
  stop(): Promise<void>;
}

export async function startRpcProxy(target: string): Promise<RpcProxy> {
  let calls: ProxiedCall[] = [];
  let abandoned = 0;
  let holds: (call: ProxiedCall) => boolean = () => false;
  const waiting = new Map<() => Promise<void>, ProxiedCall>();

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const call = callOf(body);
    calls.push(call);
    let letGo: (() => Promise<void>) | undefined;
    response.on('close', () => {
      if (response.writableFinished) return;
      abandoned += 1;
      if (letGo !== undefined) waiting.delete(letGo);
    });
    if (!holds(call)) return forward(target, body, response);
    letGo = () => {
      // The client closes its end when it has read the answer, and the connection is closed then.
      response.setHeader('connection', 'close');
      forward(target, body, response);
      const { socket } = response;
      return new Promise((resolve) => {
        if (socket === null || socket.destroyed) resolve();
        else socket.once('close', () => resolve());
      });
    };
    waiting.set(letGo, call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get calls() {
      return calls;
    },
    count: (method) => calls.filter((call) => call.method === method).length,
    reset() {
      calls = [];
    },
    hold(which) {
      holds = which;
      return () => {
        holds = () => false;
        const released = [...waiting].sort(([, a], [, b]) => a.addresses.length - b.addresses.length);
        waiting.clear();
        void released.reduce((before, [go]) => before.then(go), Promise.resolve());
      };
    },
    held: () => waiting.size,
    abandoned: () => abandoned,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(target: string, body: Buffer, response: ServerResponse): void {
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  const upstream = httpRequest(target, { method: 'POST', headers }, (answer) => {
    const { connection, 'keep-alive': keepAlive, ...rest } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, rest);
    answer.pipe(response);
  });
  upstream.on('error', () => response.destroy());
  response.on('close', () => upstream.destroy());
  upstream.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function callOf(body: Buffer): ProxiedCall {
  const { method, params } = JSON.parse(body.toString()) as { method: string; params: unknown[] };
  const addresses = method === 'getMultipleAccounts' ? (params[0] as string[]) : [];
  return { method, addresses };
}
