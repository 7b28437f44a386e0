import {
  type AccountNotificationsApi,
  type Commitment,
  createSolanaRpcSubscriptions,
  type ProgramNotificationsApi,
  type RpcSubscriptions,
} from '@solana/kit';
import type { ProgramIds } from '../programs/program-ids.ts';
import { discoverable } from './kinds.ts';
import { memcmp } from './memcmp.ts';
import { systemClock, type Clock as Timer } from './rpc/clock.ts';
import type { ViewKeeper } from './view-keeper.ts';

export interface WatcherOptions {
  readonly urls: readonly string[];
  readonly programs: ProgramIds;
  readonly commitment: Commitment;
  readonly keeper: ViewKeeper;
  readonly timer?: Timer;
  readonly connect?: (url: string) => RpcSubscriptions<ProgramNotificationsApi & AccountNotificationsApi>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

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
      try {
        await this.#listen(urls[turn % urls.length] ?? '', () => {
          pause = FIRST_PAUSE_MS;
        });
      } catch {
        // Failed connections are expected: the keeper polls until the next attempt succeeds.
      }
      this.#setConnected(false);
      await timer.sleep(pause, this.#stop.signal).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  async #listen(url: string, onConnected: () => void): Promise<void> {
    const { programs, commitment, keeper, connect = createSolanaRpcSubscriptions } = this.#options;
    const subject = discoverable(programs).find(({ kind }) => kind === 'vault');
    if (subject === undefined) return;
    const notifications = await connect(url)
      .programNotifications(subject.program, {
        encoding: 'base64',
        commitment,
        filters: [memcmp(0, subject.discriminator)],
      })
      .subscribe({ abortSignal: this.#stop.signal });
    this.#setConnected(true);
    onConnected();
    for await (const { context, value } of notifications) {
      const { owner, lamports, data } = value.account;
      keeper.announce('vault', {
        address: value.pubkey,
        owner,
        lamports,
        data: Buffer.from(data[0], 'base64'),
        slot: context.slot,
      });
    }
  }

  #setConnected(connected: boolean): void {
    this.#connected = connected;
    this.#options.keeper.setVaultsAnnounced(connected);
  }
}
