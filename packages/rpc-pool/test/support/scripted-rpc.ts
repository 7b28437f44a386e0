import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../src/transport/clock.ts';

export interface ScriptedCall {
  readonly id: string;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly body: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Behaviour of a server on a call. */
export type Script = (call: ScriptedCall) => void;

/** An RPC server on loopback that follows a test's script. */
export interface ScriptedRpc {
  readonly url: string;
  readonly port: number;
  /** The methods called so far. */
  readonly methods: readonly string[];
  /** Calls whose connection was closed before they were answered. */
  readonly abandoned: () => number;
  /** From now on. */
  script: Script;
  stop(): Promise<void>;
}

export async function startScriptedRpc(script: Script, port = 0): Promise<ScriptedRpc> {
  const methods: string[] = [];
  let abandoned = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const { id, method, params } = JSON.parse(body);
      methods.push(method);
      rpc.script({ id, method, params, body, request, response });
    });
    response.on('close', () => {
      if (!response.writableFinished) abandoned += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actualPort } = server.address() as AddressInfo;
  const rpc: ScriptedRpc = {
    url: `http://127.0.0.1:${actualPort}`,
    port: actualPort,
    methods,
    abandoned: () => abandoned,
    script,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return rpc;
}

/** `result` is JSON text, so that a test can write any number. */
export const answer =
  (result: string): Script =>
  ({ id, response }) => {
    response.setHeader('content-type', 'application/json');
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
  };

export const slot = (n: number): Script => answer(String(n));

export const rpcError =
  (code: number, message = 'no', status = 200): Script =>
  ({ id, response }) => {
    response.statusCode = status;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  };

export const httpStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Script =>
  ({ response }) => {
    response.writeHead(status, headers);
    response.end(body);
  };

export const text =
  (body: string): Script =>
  ({ response }) => {
    response.end(body);
  };

/** Promises more than it sends, then hangs up. */
export const halfBody: Script = ({ id, response }) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, () => response.destroy());
};

export const hangUp: Script = ({ request }) => {
  request.socket.destroy();
};

export const silence: Script = () => {};

/** One script per call; the last stays. */
export function inTurn(...scripts: readonly Script[]): Script {
  let next = 0;
  return (call) => {
    const script = scripts[Math.min(next, scripts.length - 1)];
    next += 1;
    script?.(call);
  };
}

/** A clock that advances only when a test or a sleep advances it. */
export class ManualClock implements Clock {
  nowMs = 1_000_000;
  readonly slept: number[] = [];

  now(): number {
    return this.nowMs;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.slept.push(ms);
    this.nowMs += ms;
  }
}
