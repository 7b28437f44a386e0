import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface IdleConnectionsOptions {
  /** Most connections of one network that have no request in progress. */
  readonly perNetwork: number;
  /** Time for which any connection may be idle: clients open several at once. */
  readonly graceMs: number;
  /** Network of an address; null for a proxy, whose connections serve many clients. */
  readonly networkOf: (address: string) => string | null;
}

const CHECK_MS = 1_000;

/**
 * Closes the connections that have been idle longest while their network has too many of them. The others are closed by
 * the time limits of the server.
 */
export function boundIdleConnections(server: Server, options: IdleConnectionsOptions): void {
  /** Idle connections, the longest first, and since when. */
  const idle = new Map<Socket, number>();
  const inProgress = new WeakMap<Socket, number>();
  server.on('connection', (socket: Socket) => {
    idle.set(socket, performance.now());
    socket.once('close', () => idle.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    inProgress.set(socket, (inProgress.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (inProgress.get(socket) ?? 1) - 1;
      inProgress.set(socket, left);
      if (left === 0 && !socket.destroyed) idle.set(socket, performance.now());
    });
  });
  const timer = setInterval(() => closeSurplus(idle, options), CHECK_MS);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function closeSurplus(
  idle: ReadonlyMap<Socket, number>,
  { perNetwork, graceMs, networkOf }: IdleConnectionsOptions,
): void {
  if (idle.size <= perNetwork) return;
  const latest = performance.now() - graceMs;
  const kept = new Map<string, number>();
  // The newest first, so that the surplus is what has been idle longest.
  for (const [socket, since] of [...idle].reverse()) {
    const network = networkOf(socket.remoteAddress ?? '');
    if (network === null) continue;
    const count = (kept.get(network) ?? 0) + 1;
    kept.set(network, count);
    if (count > perNetwork && since <= latest) socket.destroy();
  }
}
