import type { Socket } from 'node:net';

export interface PendingConnectionLimits {
  /** With one more, the oldest is disconnected. */
  readonly clients: number;
  readonly timeoutMs: number;
}

/** Our own clients send the password within milliseconds. */
export const PENDING_CONNECTION_LIMITS: PendingConnectionLimits = { clients: 32, timeoutMs: 10_000 };

/**
 * Connections that have not sent the password. Disconnecting the oldest keeps a place for our own clients while others open
 * as many connections as they can.
 */
export class PendingConnections {
  readonly #limits: PendingConnectionLimits;
  /** Oldest first, each with the timer that disconnects it. */
  readonly #timers = new Map<Socket, NodeJS.Timeout>();

  constructor(limits: PendingConnectionLimits) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
    const timer = setTimeout(() => socket.destroy(), this.#limits.timeoutMs);
    timer.unref();
    this.#timers.set(socket, timer);
    socket.once('close', () => this.delete(socket));
    const [oldest] = this.#timers.keys();
    if (this.#timers.size <= this.#limits.clients || oldest === undefined) return;
    this.delete(oldest);
    oldest.destroy();
  }

  /** Call when the client was admitted. */
  delete(socket: Socket): void {
    clearTimeout(this.#timers.get(socket));
    this.#timers.delete(socket);
  }
}
