import {
  GeyserClient,
  type GeyserError,
  SlotStatus,
  type SubscribeRequest,
  type SubscribeUpdate,
} from '@sluice/geyser';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { StreamableChain } from '../../../src/chain.ts';
import { type GeyserOptions, type LocalnetGeyser, startGeyserServer } from '../../../src/geyser/server.ts';

const STATUS_NAMES = new Map<number, string>(
  Object.entries(SlotStatus).map(([name, status]) => [status, name]),
);

/** A subscription, read one update at a time. */
export class StreamReader {
  readonly client: GeyserClient;
  readonly #abort = new AbortController();
  readonly #stream;
  readonly #updates;

  constructor(url: string, request: SubscribeRequest, token?: string) {
    this.client = new GeyserClient({ url, ...(token !== undefined && { token }) });
    this.#stream = this.client.subscribe(request, this.#abort.signal);
    this.#updates = this.#stream[Symbol.asyncIterator]();
  }

  /** The next update that is not a ping. */
  async next(): Promise<SubscribeUpdate> {
    for (;;) {
      const { value, done } = await this.#updates.next();
      if (done === true) throw new Error('the stream has ended');
      if (value.ping === null) return value;
    }
  }

  async take(count: number): Promise<string[]> {
    const taken: string[] = [];
    while (taken.length < count) taken.push(described(await this.next()));
    return taken;
  }

  /** All updates up to the pong of a ping that is sent now, without it. */
  async upToNow(): Promise<string[]> {
    this.#stream.ping(77);
    const taken: string[] = [];
    for (;;) {
      const update = await this.next();
      if (update.pong !== null) return taken;
      taken.push(described(update));
    }
  }

  /** The error that ends the stream. */
  async failure(): Promise<GeyserError> {
    try {
      for (;;) await this.next();
    } catch (error) {
      return error as GeyserError;
    }
  }

  update(request: SubscribeRequest): void {
    this.#stream.update(request);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** One line for an update: its filters, kind, slot and contents. */
export function described({ filters, account, slot, transaction, blockMeta, pong }: SubscribeUpdate): string {
  const names = filters.join('+');
  if (account?.account) {
    const { pubkey, data, lamports } = account.account;
    const bytes = Buffer.from(data).toString('hex');
    return `${names}: ${account.slot} ${addressFromBytes(pubkey).slice(0, 4)} ${lamports} [${bytes}]`;
  }
  if (slot !== null) return `${names}: ${slot.slot}<${slot.parent} ${STATUS_NAMES.get(slot.status)}`;
  if (transaction !== null) return `${names}: ${transaction.slot} transaction`;
  if (blockMeta !== null) return `${names}: ${blockMeta.slot} block`;
  return pong === null ? 'nothing' : `pong ${pong.id}`;
}

/** Starts servers and readers, and ends them all in `close`. */
export class StreamBench {
  readonly #closes: (() => Promise<void>)[] = [];

  async serve(chain: StreamableChain, options: GeyserOptions = {}): Promise<LocalnetGeyser> {
    const server = await startGeyserServer(chain, options);
    this.#closes.push(() => server.close());
    return server;
  }

  /** Resolves when the server has received the request. */
  async read(
    { url }: Pick<LocalnetGeyser, 'url'>,
    request: SubscribeRequest,
    token?: string,
  ): Promise<StreamReader> {
    const reader = this.open({ url }, request, token);
    await reader.upToNow();
    return reader;
  }

  open({ url }: Pick<LocalnetGeyser, 'url'>, request: SubscribeRequest, token?: string): StreamReader {
    const reader = new StreamReader(url, request, token);
    this.#closes.push(() => reader.close());
    return reader;
  }

  async close(): Promise<void> {
    for (const close of this.#closes.splice(0).reverse()) await close();
  }
}
