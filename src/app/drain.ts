import type { Server } from 'node:http';
import { pauseFor } from '../node/pause-for.ts';

/** Interval at which connections that have become idle are closed while the server closes. */
const IDLE_CHECK_MS = 100;

export interface DrainOptions {
  /** Time for which new connections are accepted, until load balancers have stopped sending. */
  readonly drainMs: number;
  /** Ends that time. */
  readonly atOnce: AbortSignal;
  /** Time that requests in flight may take after that. */
  readonly graceMs: number;
  /** Called when no connection is accepted any more. Ends streams, whose clients then reconnect elsewhere. */
  readonly onClosing: () => void;
}

/**
 * Stops a server without losing requests. All answers carry `connection: close`, so that clients and load balancers do not
 * reuse their connections.
 */
export async function drain(
  server: Server,
  { drainMs, atOnce, graceMs, onClosing }: DrainOptions,
): Promise<void> {
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
  if (drainMs > 0) await pauseFor(drainMs, atOnce);
  const closed = new Promise((resolve) => server.close(resolve));
  onClosing();
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
