import {
  createSecureServer,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { GeyserError, GrpcStatus } from './errors.ts';
import { type LatestBlockhash, SUBSCRIBE_PATH } from './messages/unary.ts';
import type { ReceivedRequest } from './messages.ts';
import { type SubscribeCall, serveSubscribe } from './serve-subscribe.ts';
import { serveUnary } from './serve-unary.ts';
import { ServerCall } from './server-call.ts';

export type { SubscribeCall } from './serve-subscribe.ts';

/** Answers of a server. Each may throw a GeyserError, whose status the client gets. */
export interface GeyserHandlers {
  /** Called for each stream. Returns the receiver of its requests. */
  subscribe(call: SubscribeCall): (request: ReceivedRequest) => void;
  replayInfo(): { readonly firstAvailable: bigint | null };
  slot(commitment: number): bigint;
  latestBlockhash(commitment: number): LatestBlockhash;
  /** A JSON text. */
  version(): string;
}

export interface ServeGeyserOptions {
  readonly handlers: GeyserHandlers;
  /** Defaults to 0, a free port. */
  readonly port?: number;
  /** Defaults to loopback. */
  readonly host?: string;
  /** Clients without it get UNAUTHENTICATED; absent: nobody needs one. */
  readonly token?: string;
  /** Defaults to `x-token`. */
  readonly tokenHeader?: string;
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface GeyserServer {
  readonly url: string;
  readonly port: number;
  /** Closes all connections; clients may come back. */
  dropConnections(): void;
  close(): Promise<void>;
}

/** Serves the Geyser service over HTTP/2. */
export async function serveGeyser(options: ServeGeyserOptions): Promise<GeyserServer> {
  const { handlers, port = 0, host = '127.0.0.1', tls } = options;
  const sessions = new Set<ServerHttp2Session>();
  const server = tls === undefined ? createServer() : createSecureServer({ ...tls });
  server.on('session', (session: ServerHttp2Session) => {
    sessions.add(session);
    // The streams of the session end, and with them their calls.
    session.on('error', () => session.destroy());
    session.once('close', () => sessions.delete(session));
  });
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    const call = new ServerCall(stream);
    call.run(() => {
      checkToken(headers, options);
      if (headers[':path'] === SUBSCRIBE_PATH) serveSubscribe(call, handlers);
      else serveUnary(call, String(headers[':path']), handlers);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const dropConnections = () => {
    for (const session of sessions) session.destroy();
  };
  const { port: boundPort } = server.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${authority}`,
    port: boundPort,
    dropConnections,
    close() {
      return new Promise((resolve) => {
        server.close(() => resolve());
        dropConnections();
      });
    },
  };
}

function checkToken(
  headers: IncomingHttpHeaders,
  { token, tokenHeader = 'x-token' }: ServeGeyserOptions,
): void {
  if (token !== undefined && headers[tokenHeader] !== token) {
    throw new GeyserError(GrpcStatus.UNAUTHENTICATED, 'No valid auth token');
  }
}
