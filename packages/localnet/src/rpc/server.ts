import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { LocalChain } from '../chain.ts';
import type { ChainControl } from './chain-control.ts';
import { Dispatcher } from './dispatch.ts';
import type { EncodingCache } from './encode-account.ts';
import { FaultInjector } from './faults.ts';
import { HttpHandler } from './http.ts';
import { RateLimit } from './rate-limit.ts';
import { RequestLog } from './request-log.ts';
import { Subscriptions } from './subscriptions.ts';
import { TokenIndex } from './token-index.ts';
import { SocketSession } from './web-socket.ts';

/** Requests over a socket are short; only responses are long. */
const KEEP_ALIVE_MS = 120_000;
const MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024;

/**
 * Transactions over these limits are rejected, so that a flood of them leaves the processor to readers. A minute has room
 * for 7,000.
 */
const SEND_BURST = 1_000;
const SENDS_PER_SECOND = 100;

export interface LocalnetRpc {
  readonly url: string;
  /** The same port; WebSockets connect by upgrade. */
  readonly wsUrl: string;
  readonly port: number;
  /** For tests: injects faults. */
  readonly faults: FaultInjector;
  /** For tests and benchmarks: counts requests. */
  readonly requests: RequestLog;
  close(): Promise<void>;
}

export interface RpcServerOptions {
  /** Defaults to loopback. */
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  readonly faults?: FaultInjector;
  /** Caches encoded large accounts; without it they are encoded on every request. */
  readonly encodings?: EncodingCache;
  /** Lets clients set prices, advance time and reset the chain; absent: they cannot. */
  readonly control?: ChainControl;
  /** Limit on transactions that clients send. */
  readonly sends?: RateLimit;
}

/** Serves a chain as a Solana node does: JSON-RPC over HTTP, and subscriptions over WebSocket. */
export async function startRpcServer(
  chain: LocalChain,
  options: RpcServerOptions = {},
): Promise<LocalnetRpc> {
  const {
    host = '127.0.0.1',
    port = 0,
    faults = new FaultInjector(),
    encodings = null,
    control = null,
    sends = new RateLimit(SEND_BURST, SENDS_PER_SECOND),
  } = options;
  const requests = new RequestLog();
  const tokens = new TokenIndex(chain);
  const subscriptions = new Subscriptions(chain);
  const handler = new HttpHandler(
    chain,
    new Dispatcher({ chain, tokens, encodings, sends, control }, faults, requests),
    faults,
    requests,
  );
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_SOCKET_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  const http = createServer((request, response) => {
    // Only the connection can fail here, and the client notices.
    handler.handle(request, response).catch(() => response.destroy());
  });
  // After a long computation, a shorter time would have passed for connections that clients are about to use.
  http.keepAliveTimeout = KEEP_ALIVE_MS;
  http.on('upgrade', (request, socket, head) => {
    if (faults.refuseWebSockets) {
      // The client may be gone already.
      socket.on('error', () => socket.destroy());
      socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      new SocketSession(webSocket, subscriptions, faults, requests);
    });
  });
  const dropWebSockets = () => {
    for (const client of sockets.clients) client.terminate();
  };
  const forgetDrop = faults.onDropWebSockets(dropWebSockets);

  const stop = () => {
    forgetDrop();
    subscriptions.close();
    tokens.close();
    dropWebSockets();
  };
  try {
    await new Promise<void>((resolve, reject) => {
      http.once('error', reject);
      http.listen(port, host, resolve);
    });
  } catch (error) {
    stop();
    throw error;
  }

  const { port: boundPort } = http.address() as AddressInfo;
  const authority = `${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
  return {
    url: `http://${authority}`,
    wsUrl: `ws://${authority}`,
    port: boundPort,
    faults,
    requests,
    close() {
      stop();
      return new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    },
  };
}
