import { systemClock, type Clock as Timer } from '@sluice/rpc-pool';
import type { ChainAccount } from '../../accounts/account-page.ts';
import type { PositionAccount } from '../../positions/position-kinds.ts';
import type { AccountSink } from '../../view/account-source.ts';
import type { FollowedChain } from './followed-chain.ts';
import type { PositionScan } from './position-scan.ts';
import type { StreamEvent } from './stream-events.ts';
import type { StreamLinks } from './stream-links.ts';

export interface PositionLoadsOptions {
  readonly scan: Pick<PositionScan, 'all' | 'added'>;
  readonly sink: AccountSink;
  /** Ended with the chain: then everything has to be loaded again. */
  readonly signal: AbortSignal;
  /** Pause between two loads of everything, which find changes that the stream did not bring. */
  readonly reconcileMs: number;
  readonly onEvent: (event: StreamEvent) => void;
  readonly timer?: Timer;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** Loads the accounts of wallets that a chain began without, one load after the other. */
export class PositionLoads {
  readonly #chain: FollowedChain;
  readonly #options: PositionLoadsOptions;
  #last: Promise<void> = Promise.resolve();
  #isLoaded = false;

  constructor(chain: FollowedChain, options: PositionLoadsOptions) {
    this.#chain = chain;
    this.#options = options;
  }

  /** Whether all have been loaded. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /** Resolves when no load is under way. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Loads everything now and again after each pause. */
  async keepLoaded(): Promise<void> {
    const { signal, reconcileMs, timer = systemClock } = this.#options;
    while (!signal.aborted) {
      await this.#enqueue(() => this.#loadAll());
      await timer.sleep(reconcileMs, signal).catch(() => undefined);
    }
  }

  /** Loads what the chain's links have and `before` has not. */
  loadAdded(before: StreamLinks): void {
    void this.#enqueue(() => this.#loadAdded(before));
  }

  #enqueue(load: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(() => this.#untilDone(load));
    return this.#last;
  }

  async #untilDone(load: () => Promise<void>): Promise<void> {
    const { signal, onEvent, timer = systemClock } = this.#options;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        await load();
        return;
      } catch (error) {
        if (signal.aborted) return;
        onEvent({ type: 'LOAD_FAILED', error });
        await timer.sleep(pause, signal).catch(() => undefined);
      }
    }
  }

  /** Changes after `minSlot` are announced meanwhile, and applied to what was loaded. */
  async #loadAll(): Promise<void> {
    const { sink, signal, onEvent } = this.#options;
    const minSlot = this.#chain.delivered ?? 0n;
    let accounts = 0;
    const loaded = async function* (this: PositionLoads): AsyncGenerator<PositionAccount> {
      let highest = minSlot;
      for await (const position of this.#options.scan.all(this.#chain.links, { minSlot, signal })) {
        if (position.account.slot > highest) highest = position.account.slot;
        accounts += 1;
        yield position;
      }
      // Until then, some accounts would be newer than the slot of the View.
      await this.#chain.reached(highest, signal);
      signal.throwIfAborted();
    };
    await sink.positionsLoaded(minSlot, loaded.call(this));
    this.#isLoaded = true;
    onEvent({ type: 'LOADED', accounts });
  }

  async #loadAdded(before: StreamLinks): Promise<void> {
    const { scan, sink, signal } = this.#options;
    const changedAt = this.#chain.recordChanges();
    try {
      const found: PositionAccount[] = [];
      let highest = this.#chain.delivered ?? 0n;
      for await (const position of scan.added(this.#chain.links, before, { minSlot: highest, signal })) {
        if (position.account.slot > highest) highest = position.account.slot;
        found.push(position);
      }
      await this.#chain.reached(highest, signal);
      signal.throwIfAborted();
      for (const { kind, account } of found)
        if (!isOutdated(account, changedAt.get(account.address)))
          sink.positionChanged({ kind, address: account.address, account, slot: account.slot });
    } finally {
      this.#chain.stopRecording();
    }
  }
}

function isOutdated(account: ChainAccount, changedAt: bigint | undefined): boolean {
  return changedAt !== undefined && changedAt > account.slot;
}
