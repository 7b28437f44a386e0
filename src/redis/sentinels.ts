import { Redis } from 'ioredis';
import { z } from 'zod';
import type { SentinelAddress } from './sentinel-address.ts';

export interface Master {
  readonly host: string;
  readonly port: number;
  /** Rises with each failover. */
  readonly epoch: number;
}

/** A sentinel that hangs is not waited for longer. */
const TIMEOUT_MS = 1_000;
const MAX_RETRY_MS = 1_000;

const ADDRESS = z.tuple([z.string(), z.string().regex(/^\d+$/).transform(Number)]).nullable();
const PROPERTIES = z.array(z.string());

/** Names and values that Sentinel lists in turns. */
export function sentinelProperties(reply: unknown): ReadonlyMap<string, string> {
  const texts = PROPERTIES.parse(reply);
  const found = new Map<string, string>();
  for (let i = 0; i + 1 < texts.length; i += 2) found.set(texts[i] ?? '', texts[i + 1] ?? '');
  return found;
}

/** A connection to each sentinel. None is in the way of the others: of a failover only some may know yet. */
export class Sentinels {
  readonly #address: SentinelAddress;
  readonly clients: readonly Redis[];
  readonly #failures = new Map<Redis, Error>();

  constructor(address: SentinelAddress) {
    this.#address = address;
    this.clients = address.sentinels.map(({ host, port }) => {
      const client = new Redis({
        host,
        port,
        protocol: 2,
        ...(address.sentinelUsername !== null && { username: address.sentinelUsername }),
        ...(address.sentinelPassword !== null && { password: address.sentinelPassword }),
        ...(address.isEncrypted && { tls: {} }),
        connectTimeout: TIMEOUT_MS,
        commandTimeout: TIMEOUT_MS,
        maxRetriesPerRequest: 0,
        enableReadyCheck: false,
        disableClientInfo: true,
        retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RETRY_MS),
      });
      client.on('error', (failure: Error) => this.#failures.set(client, failure));
      return client;
    });
  }

  /**
   * The master by the newest of the answers, as soon as most sentinels have answered: one that was cut off from the others
   * still names the master before the failover.
   * @throws Error when no sentinel knows a master of that name
   */
  async master(): Promise<Master> {
    const answers: Master[] = [];
    let failure: unknown;
    await new Promise<void>((resolve) => {
      let open = this.clients.length;
      for (const client of this.clients) {
        this.run(client, (each) => this.#ask(each))
          .then(
            (master) => master !== null && answers.push(master),
            (reason: unknown) => {
              failure = reason;
            },
          )
          .finally(() => {
            open -= 1;
            if (open === 0 || answers.length * 2 > this.clients.length) resolve();
          });
      }
    });
    const [newest] = answers.sort((a, b) => b.epoch - a.epoch);
    if (newest !== undefined) return newest;
    if (failure !== undefined) throw failure;
    throw new Error(`no Sentinel knows a master named ${this.#address.name}`);
  }

  /** Runs commands on one of the connections. If it fails, they reject with the reason. */
  async run<T>(client: Redis, commands: (client: Redis) => Promise<T>): Promise<T> {
    try {
      return await commands(client);
    } catch (error) {
      const isGone = error instanceof Error && error.name === 'MaxRetriesPerRequestError';
      throw isGone ? (this.#failures.get(client) ?? error) : error;
    }
  }

  close(): void {
    for (const client of this.clients) client.disconnect();
  }

  /** Null when the sentinel does not know it. */
  async #ask(client: Redis): Promise<Master | null> {
    const { name } = this.#address;
    // The first answer has the epoch, but during a failover still the address of the old master. Between the two the epoch
    // may rise. In this order the old one comes with the new address, and never the new one with the old address.
    const [properties, address] = await Promise.all([
      client.call('SENTINEL', 'MASTER', name).catch((error: unknown) => {
        if (String(error).includes('No such master')) return null;
        throw error;
      }),
      client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name),
    ]);
    const found = ADDRESS.parse(address);
    if (found === null || properties === null) return null;
    const [host, port] = found;
    return { host, port, epoch: Number(sentinelProperties(properties).get('config-epoch') ?? 0) };
  }
}
