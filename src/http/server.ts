import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { boundIdleConnections, type IdleConnectionsOptions } from './idle-connections.ts';
import type { Handler } from './pipeline.ts';

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Limits on clients that send slowly, in milliseconds. */
export interface SlowClientLimits {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const SLOW_CLIENT_LIMITS: SlowClientLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};
/** A socket without traffic for this long is closed; open streams send a heartbeat every few seconds. */
const SILENT_SOCKET_MS = 60_000;
/** Longer than load balancers keep idle connections (60 s), so that we never close one under a request in flight. */
const KEEP_ALIVE_MS = 75_000;

export interface HttpServerOptions {
  readonly requestTimeoutMs: number;
  readonly slowClientLimits?: SlowClientLimits;
  /** Unlimited without. */
  readonly idleConnections?: IdleConnectionsOptions;
}

/** A gateway as the server sees it. */
export interface HttpApp {
  readonly fetch: Handler;
  /** Wraps a listener with one that refuses ambiguous requests, and answers from the cache before it. */
  readonly serveCached: (next: Listener) => Listener;
}

export function createHttpServer(
  app: HttpApp,
  { requestTimeoutMs, slowClientLimits, idleConnections }: HttpServerOptions,
): Server {
  const limits = { ...SLOW_CLIENT_LIMITS, ...slowClientLimits, keepAliveTimeout: KEEP_ALIVE_MS };
  const server = createServer(limits, app.serveCached(requestListener(app.fetch)));
  if (idleConnections !== undefined) boundIdleConnections(server, idleConnections);
  server.setTimeout(Math.max(SILENT_SOCKET_MS, 2 * requestTimeoutMs));
  return server;
}

/** Adapts a fetch-style handler to Node's server. */
export function requestListener(fetch: Handler): Listener {
  return getRequestListener(
    async (request, connection) => {
      const response = await fetch(request, connection);
      const { headers, status } = response;
      const { outgoing } = connection;
      if (!isStream(headers) || !(outgoing instanceof ServerResponse)) return response;
      const { body } = response;
      if (body === null) return response;
      outgoing.writeHead(status, Object.fromEntries(headers));
      outgoing.flushHeaders();
      void sendStream(body, outgoing);
      return RESPONSE_ALREADY_SENT;
    },
    // By default the library replaces the global Request and Response.
    { overrideGlobalObjects: false },
  );
}

/** Media types of bodies that are written while they are sent. */
const STREAMED = /^(?:text\/event-stream|text\/csv|application\/jsonl)\b/;

const isStream = (headers: Headers) => STREAMED.test(headers.get('content-type') ?? '');

/**
 * Sends a body that may be long or never end. The server library chains one promise over all chunks, which retains each chunk until
 * the last one; here a chunk is released before the next one is read, which happens when the socket has room.
 */
async function sendStream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let resume = () => {};
  const cancel = () => {
    // The loop below reports a stream that has failed.
    reader.cancel().catch(() => {});
    resume();
  };
  outgoing.on('drain', () => resume());
  outgoing.once('close', cancel);
  if (outgoing.destroyed) cancel();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (outgoing.write(chunk.value) || outgoing.destroyed) continue;
      await new Promise<void>((resolve) => {
        resume = resolve;
      });
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
