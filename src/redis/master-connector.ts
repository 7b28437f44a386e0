import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectEncrypted, type TLSSocket } from 'node:tls';
import { AbstractConnector } from 'ioredis';
import type { SentinelAddress } from './sentinel-address.ts';
import { type Master, Sentinels } from './sentinels.ts';

/** The old master of an orderly failover accepts writes that are lost until we leave it. */
const WATCH_MS = 500;
const RETRY_MS = 200;
const DISCONNECT_MS = 500;

/**
 * Connects a client to the master that the sentinels name, and breaks the connection when they name another one, so that the
 * client connects again. Sentinels are asked regularly: a message of theirs could be missed.
 */
export class MasterConnector extends AbstractConnector {
  readonly #address: SentinelAddress;
  #sentinels: Sentinels | null = null;

  constructor(address: SentinelAddress) {
    super(DISCONNECT_MS);
    this.#address = address;
  }

  override async connect(emit: (event: string, failure: Error) => void): Promise<Socket | TLSSocket> {
    this.connecting = true;
    const master = await this.#find(emit);
    const { host, port } = master;
    const stream = this.#address.isEncrypted ? connectEncrypted({ host, port }) : connect({ host, port });
    stream.once('error', (failure) => {
      this.firstError = failure;
    });
    this.stream = stream;
    this.#watch(master, stream);
    return stream;
  }

  /** A master that was replaced while it was away may not know yet. */
  override check({ role }: { readonly role?: string }): boolean {
    return role === undefined || role === 'master';
  }

  override disconnect(): void {
    super.disconnect();
    this.#sentinels?.close();
    this.#sentinels = null;
  }

  /** Rejects only once it is disconnected: the client would not try again. */
  async #find(emit: (event: string, failure: Error) => void): Promise<Master> {
    for (;;) {
      this.#sentinels ??= new Sentinels(this.#address);
      const found = await this.#sentinels.master().catch((failure: unknown) => {
        return failure instanceof Error ? failure : new Error(String(failure));
      });
      if (!this.connecting) throw new Error('Connection is closed.');
      if (!(found instanceof Error)) return found;
      emit('error', found);
      await sleep(RETRY_MS);
      if (!this.connecting) throw new Error('Connection is closed.');
    }
  }

  #watch(master: Master, stream: Socket): void {
    let isAsking = false;
    const ask = async () => {
      if (isAsking) return;
      isAsking = true;
      // Without an answer there is nothing to compare.
      const found = await this.#sentinels?.master().catch(() => null);
      isAsking = false;
      if (found && isLater(found, master)) stream.destroy();
    };
    const timer = setInterval(() => void ask(), WATCH_MS);
    stream.once('close', () => clearInterval(timer));
  }
}

/** Sentinels that have not heard of the last failover yet name an earlier master. */
const isLater = (found: Master, master: Master): boolean =>
  found.epoch > master.epoch && (found.host !== master.host || found.port !== master.port);
