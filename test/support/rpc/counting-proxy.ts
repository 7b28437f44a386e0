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
  /** How often a method was called since the last reset. */
  count(method: string): number;
  reset(): void;
  /** Holds matching calls back from now on. Returns a function that releases them. */
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
  const waiting = new Set<() => void>();

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const call = callOf(body);
    calls.push(call);
    let letGo: (() => void) | undefined;
    response.on('close', () => {
      if (response.writableFinished) return;
      abandoned += 1;
      if (letGo !== undefined) waiting.delete(letGo);
    });
    const go = () => forward(target, body, response);
    if (!holds(call)) return go();
    letGo = go;
    waiting.add(go);
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
        for (const go of waiting) go();
        waiting.clear();
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
    response.writeHead(answer.statusCode ?? 502, answer.headers);
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
