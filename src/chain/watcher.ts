import type { Commitment } from '@solana/kit';
import { abandonOn } from '../node/abandon-on.ts';
import type { ProgramIds } from '../programs/program-ids.ts';
import { discoverable } from './kinds.ts';
import { memcmp } from './memcmp.ts';
import { systemClock, type Clock as Timer } from './rpc/clock.ts';
import type { Subscriptions } from './subscriptions.ts';
import type { ViewKeeper } from './view-keeper.ts';

export interface WatcherOptions {
  readonly urls: readonly string[];
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  readonly keeper: ViewKeeper;
  /** Whether the chain can be at a slot. A connection that claims another one is closed. Absent: every slot is believed. */
  readonly isReached?: (slot: bigint, signal: AbortSignal) => Promise<boolean>;
  readonly timer?: Timer;
  readonly connect?: (url: string) => Subscriptions | Promise<Subscriptions>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Loads the WebSocket client with the first connection: a gateway that only polls starts without it. */
const connectLater = async (url: string): Promise<Subscriptions> =>
  (await import('./subscriptions.ts')).connectSubscriptions(url);

/** Subscribes to vault changes and reconnects with backoff. Without a connection, the keeper polls. */
export class Watcher {
  readonly #options: WatcherOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #connected = false;

  constructor(options: WatcherOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#connected;
  }

  start(): void {
    if (this.#options.urls.length > 0) this.#running = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { urls, timer = systemClock } = this.#options;
    let pause = FIRST_PAUSE_MS;
    for (let turn = 0; !this.#stop.signal.aborted; turn += 1) {
      const [url, lastPause] = [urls[turn % urls.length] ?? '', pause];
      try {
        const wasBelieved = await this.#listen(url, () => {
          pause = FIRST_PAUSE_MS;
        });
        if (!wasBelieved) pause = lastPause;
      } catch {
        // Failed connections are expected: the keeper polls until the next attempt succeeds.
      }
      this.#setConnected(false);
      await timer.sleep(pause, this.#stop.signal).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  /** Announces changes until the connection ends. Returns false when it ends because of a slot that is not believed. */
  async #listen(url: string, onConnected: () => void): Promise<boolean> {
    const { programs, commitment, keeper, isReached, connect = connectLater } = this.#options;
    const subject = discoverable(programs).find(({ kind }) => kind === 'vault');
    if (subject === undefined) return true;
    const connection = new AbortController();
    const unlink = abandonOn(this.#stop.signal, (reason) => connection.abort(reason));
    try {
      const subscriptions = await connect(url);
      const notifications = await subscriptions
        .programNotifications(subject.program, {
          encoding: 'base64',
          commitment,
          filters: [memcmp(0, subject.discriminator)],
        })
        .subscribe({ abortSignal: connection.signal });
      this.#setConnected(true);
      onConnected();
      for await (const { context, value } of notifications) {
        if (isReached !== undefined && !(await isReached(context.slot, connection.signal))) return false;
        const { owner, lamports, data } = value.account;
        keeper.announce('vault', {
          address: value.pubkey,
          owner,
          lamports,
          data: Buffer.from(data[0], 'base64'),
          slot: context.slot,
        });
      }
      return true;
    } finally {
      unlink();
      connection.abort();
    }
  }

  #setConnected(connected: boolean): void {
    this.#connected = connected;
    this.#options.keeper.setVaultsAnnounced(connected);
  }
}
