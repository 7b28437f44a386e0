import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { App } from '../../../src/app/app.ts';
import { createHttpServer } from '../../../src/http/server.ts';
import type { FuzzAnswer, FuzzRequest } from './fuzz-request.ts';

export interface FuzzSite {
  readonly origin: string;
  /** Null when the client disconnected before the answer. */
  ask(request: FuzzRequest, signal: AbortSignal): Promise<FuzzAnswer | null>;
  close(): Promise<void>;
}

const HANG_UP_MS = 5;
const REQUEST_TIMEOUT_MS = 10_000;

/** A gateway on a real socket as the process serves it, and a client that sends raw requests. */
export async function serveFuzzSite(app: App, connections: number): Promise<FuzzSite> {
  const server = createHttpServer(app, { requestTimeoutMs: REQUEST_TIMEOUT_MS });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    origin: `http://127.0.0.1:${port}`,
    ask: (request, signal) => ask(request, port, agent, signal),
    close: () =>
      new Promise((resolve) => {
        agent.destroy();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function ask(
  { method, target, headers, body, hangsUp }: FuzzRequest,
  port: number,
  agent: Agent,
  signal: AbortSignal,
): Promise<FuzzAnswer | null> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = Object.fromEntries(
      Object.entries({ ...headers, ...length }).map(([name, value]) => [name, asSent(value)]),
    );
    const sending = httpRequest(
      { host: '127.0.0.1', port, path: target, method, headers: sent, agent, signal },
      (response) => readAnswer(response, method).then(resolve, reject),
    );
    sending.on('error', (error) => (hangsUp === true ? resolve(null) : reject(error)));
    if (hangsUp === true) setTimeout(() => sending.destroy(), HANG_UP_MS);
    sending.end(body);
  });
}

const asSent = (value: string | readonly string[]) => (typeof value === 'string' ? value : [...value]);

async function readAnswer(response: IncomingMessage, method: string): Promise<FuzzAnswer> {
  const { statusCode: status = 0, headers } = response;
  const isStream = headers['content-type']?.startsWith('text/event-stream') ?? false;
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    // One event is enough of an endless stream.
    if (isStream && Buffer.concat(chunks).includes('\n\nevent: complete')) break;
    if (isStream && /event: next[\s\S]*\n\n/.test(Buffer.concat(chunks).toString())) break;
  }
  const read = Buffer.concat(chunks);
  // Part of another event may have arrived.
  const bytes = isStream ? read.subarray(0, read.lastIndexOf('\n\n') + 2) : read;
  return {
    status,
    headers,
    text: method === 'HEAD' ? '' : decoded(bytes, headers['content-encoding']).toString(),
  };
}

function decoded(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
