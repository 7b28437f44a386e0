import type { ProgramIds } from '@sluice/protocol/program-ids';
import { bytesOf, systemClock, type Clock as Timer } from '@sluice/rpc-pool';
import { abandonOn } from '@sluice/rpc-pool/abort';
import type { Address, Commitment } from '@solana/kit';
import { memcmp } from '../accounts/memcmp.ts';
import type { AccountSink, AccountSource } from '../view/account-source.ts';
import { discoverable, type Kind } from '../view/kinds.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface WebSocketSourceOptions {
  readonly urls: readonly string[];
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  /** Kinds to subscribe to, of those that discovery finds by program and discriminator. */
  readonly kinds: readonly Kind[];
  /** Whether the chain can be at a slot. A connection that reports another one is closed. Absent: every slot is trusted. */
  readonly isReached?: (slot: bigint, signal: AbortSignal) => Promise<boolean>;
  readonly timer?: Timer;
  readonly connect?: (url: string) => Subscriptions | Promise<Subscriptions>;
}

interface ProgramNotification {
  readonly context: { readonly slot: bigint };
  readonly value: {
    readonly pubkey: Address;
    readonly account: {
      readonly owner: Address;
      readonly lamports: bigint;
      readonly data: readonly [string, ...unknown[]];
    };
  };
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Loads the WebSocket client with the first connection: a gateway that only polls starts without it. */
const connectLater = async (url: string): Promise<Subscriptions> =>
  (await import('./subscriptions.ts')).connectSubscriptions(url);

/** Announces changes from subscriptions and reconnects with backoff. Without a connection, its kinds are polled. */
export class WebSocketSource implements AccountSource {
  readonly #options: WebSocketSourceOptions;
  readonly #subjects: ReturnType<typeof discoverable>;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #connected = false;

  constructor(options: WebSocketSourceOptions) {
    this.#options = options;
    this.#subjects = discoverable(options.programs).filter(({ kind }) => options.kinds.includes(kind));
  }

  get kinds(): readonly Kind[] {
    return this.#subjects.map(({ kind }) => kind);
  }

  get connected(): boolean {
    return this.#connected;
  }

  start(sink: AccountSink): void {
    this.#stop = new AbortController();
    if (this.#options.urls.length > 0 && this.#subjects.length > 0) this.#running = this.#loop(sink);
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #loop(sink: AccountSink): Promise<void> {
    const { urls, timer = systemClock } = this.#options;
    let pause = FIRST_PAUSE_MS;
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const [url, lastPause] = [urls[turn % urls.length] ?? '', pause];
      try {
        const wasTrusted = await this.#listen(url, sink, () => {
          pause = FIRST_PAUSE_MS;
        });
        if (!wasTrusted) pause = lastPause;
      } catch {
        // Failed connections are expected: polling continues until the next attempt succeeds.
      }
      this.#setConnected(false, sink);
      await timer.sleep(pause, this.#stop.signal).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Announces changes until the connection ends. Returns false when it ends because of a slot that is not trusted. */
  async #listen(url: string, sink: AccountSink, onConnected: () => void): Promise<boolean> {
    const { commitment, connect = connectLater } = this.#options;
    const connection = new AbortController();
    const { signal } = connection;
    const unlink = abandonOn(this.#stop.signal, (reason) => connection.abort(reason));
    try {
      const subscriptions = await connect(url);
      const subscribed = await Promise.all(
        this.#subjects.map(async ({ kind, program, discriminator }) => {
          const filters = [memcmp(0, discriminator)];
          const notifications = await subscriptions
            .programNotifications(program, { encoding: 'base64', commitment, filters })
            .subscribe({ abortSignal: signal });
          return { kind, notifications };
        }),
      );
      this.#setConnected(true, sink);
      onConnected();
      return await Promise.race(
        subscribed.map(({ kind, notifications }) => this.#announceAll(kind, notifications, sink, signal)),
      );
    } finally {
      unlink();
      connection.abort();
    }
  }

  /** Announces the changes of one kind. Resolves as `#listen` does. */
  async #announceAll(
    kind: Kind,
    notifications: AsyncIterable<ProgramNotification>,
    sink: AccountSink,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { isReached } = this.#options;
    for await (const { context, value } of notifications) {
      if (isReached !== undefined && !(await isReached(context.slot, signal))) return false;
      const { owner, lamports, data } = value.account;
      const bytes = bytesOf(data);
      sink.announce(kind, { address: value.pubkey, owner, lamports, data: bytes, slot: context.slot });
    }
    return true;
  }

  #setConnected(connected: boolean, sink: AccountSink): void {
    this.#connected = connected;
    sink.connectionChanged();
  }
}
