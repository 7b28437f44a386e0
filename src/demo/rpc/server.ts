import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Ledger } from '../ledger.ts';
import { Dispatcher } from './dispatch.ts';
import type { KeptEncodings } from './encode-account.ts';
import { FaultInjector } from './faults.ts';
import { HttpFace } from './http.ts';
import { RequestLog } from './request-log.ts';
import { Subscriptions } from './subscriptions.ts';
import { TokenIndex } from './token-index.ts';
import { SocketSession } from './web-socket.ts';

/** Requests over a socket are short; only answers are long. */
const MAX_SOCKET_MESSAGE_BYTES = 1024 * 1024;

export interface DemoRpcServer {
  readonly url: string;
  /** The same port; WebSockets arrive by upgrade. */
  readonly wsUrl: string;
  readonly port: number;
  /** For tests: what shall go wrong. */
  readonly faults: FaultInjector;
  /** For tests and benchmarks: what was asked. */
  readonly requests: RequestLog;
  close(): Promise<void>;
}

export interface DemoRpcOptions {
  /** Loopback unless told otherwise. */
  readonly host?: string;
  /** 0 takes a free one. */
  readonly port?: number;
  readonly faults?: FaultInjector;
  /** Where large accounts are kept as they are written; without it they are encoded anew each time. */
  readonly encodings?: KeptEncodings;
}

/** Serves a ledger as a Solana node would: JSON-RPC over HTTP, and subscriptions over WebSocket. */
export async function startDemoRpc(ledger: Ledger, options: DemoRpcOptions = {}): Promise<DemoRpcServer> {
  const { host = '127.0.0.1', port = 0, faults = new FaultInjector(), encodings = null } = options;
  const requests = new RequestLog();
  const tokens = new TokenIndex(ledger);
  const subscriptions = new Subscriptions(ledger);
  const face = new HttpFace(
    new Dispatcher({ ledger, tokens, encodings }, faults, requests),
    faults,
    requests,
  );
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_SOCKET_MESSAGE_BYTES,
    perMessageDeflate: false,
  });

  const http = createServer((request, response) => {
    // What fails here is the connection, and the client knows.
    face.handle(request, response).catch(() => response.destroy());
  });
  http.on('upgrade', (request, socket, head) => {
    if (faults.refuseWebSockets) {
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
