import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { App } from './app.ts';

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
export function createHttpServer(app: App, { requestTimeoutMs, slowClients }: HttpServerOptions): Server {
  const usualWay = getRequestListener(app.fetch);
  const limits = { ...SLOW_CLIENTS, ...slowClients, keepAliveTimeout: IDLE_CONNECTION_MS };
  const server = createServer(limits, (incoming, outgoing) => {
    if (app.answerKept(incoming, outgoing) || app.answerHot(incoming, outgoing, usualWay)) return;
    usualWay(incoming, outgoing);
  });
  server.setTimeout(Math.max(SILENT_SOCKET_MS, 2 * requestTimeoutMs));
  return server;
}
