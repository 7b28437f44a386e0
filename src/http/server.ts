import { createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { App } from '../app/app.ts';

/** A client that sends slowly holds a connection, and no longer than this. */
export interface SlowClients {
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly connectionsCheckingInterval: number;
}

const SLOW_CLIENTS: SlowClients = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
};
/** A socket over which nothing went for so long is cut: streams send something every few seconds. */
const SILENT_SOCKET_MS = 60_000;

/** Longer than balancers keep an idle connection (a minute), so that it is not closed under a request that is on its way. */
const IDLE_CONNECTION_MS = 75_000;

export interface HttpServerOptions {
  readonly requestTimeoutMs: number;
  readonly slowClients?: SlowClients;
}

/** A gateway on HTTP: what is at hand goes straight to the socket, everything else the usual way. */
export function createHttpServer(
  app: Pick<App, 'fetch' | 'answerKept' | 'answerHot'>,
  { requestTimeoutMs, slowClients }: HttpServerOptions,
): Server {
  const usualWay = requestListener(app.fetch);
  const limits = { ...SLOW_CLIENTS, ...slowClients, keepAliveTimeout: IDLE_CONNECTION_MS };
  const server = createServer(limits, (incoming, outgoing) => {
    if (app.answerKept(incoming, outgoing) || app.answerHot(incoming, outgoing, usualWay)) return;
    usualWay(incoming, outgoing);
  });
  server.setTimeout(Math.max(SILENT_SOCKET_MS, 2 * requestTimeoutMs));
  return server;
}

/** Answers requests by a fetch-style handler. */
export function requestListener(
  fetch: App['fetch'],
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return getRequestListener(async (request, connection) => {
    const response = await fetch(request, connection);
    const { headers, status } = response;
    const { outgoing } = connection;
    if (!isEvents(headers) || !(outgoing instanceof ServerResponse)) return response;
    // Asked for its body, an answer takes the slow way through the server library.
    const { body } = response;
    if (body === null) return response;
    outgoing.writeHead(status, Object.fromEntries(headers));
    outgoing.flushHeaders();
    void sendEvents(body, outgoing);
    return RESPONSE_ALREADY_SENT;
  });
}

const isEvents = (headers: Headers) => headers.get('content-type')?.startsWith('text/event-stream') ?? false;

/**
 * Sends a body that may never end. The server library makes one promise of all pieces, so that each is held until the last
 * one. Here a piece is done with before the next is asked for, which is when the socket has room.
 */
async function sendEvents(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  let proceed = () => {};
  const leave = () => {
    // One that has failed already ends the loop below.
    reader.cancel().catch(() => {});
    proceed();
  };
  outgoing.on('drain', () => proceed());
  outgoing.once('close', leave);
  if (outgoing.destroyed) leave();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (outgoing.write(piece.value) || outgoing.destroyed) continue;
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}
