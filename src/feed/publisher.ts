import type { View } from '../chain/view/view.ts';
import type { FedChain, ReadFrom } from '../chain/view/view-feed.ts';
import type { FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import { highestSlotOf } from './progress.ts';
import { differences } from './view-differences.ts';
import { encodeMessage, type ViewMessage } from './view-message.ts';

export interface PublisherOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly token: bigint;
  readonly from: ReadFrom;
  /** A snapshot replaces the last one after this many Views. */
  readonly snapshotEvery: number;
}

/** Publishes the Views of one lease, the first one whole, the others as changes. */
export class Publisher {
  readonly #options: PublisherOptions;
  #highestSlot: bigint;
  /** The newest View that was accepted; null before the first. */
  #newest: View | null = null;
  #timesDiscarded: number;
  #sequence = 0;
  #snapshotSequence = 0;
  #snapshot: Promise<void> | null = null;
  #isLost = false;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#highestSlot = options.from.highestSlot;
    this.#timesDiscarded = options.chain.timesDiscarded;
  }

  /** Whether the lease cannot be used any more: another process reads, or nobody knows whether the last View was accepted. */
  get isLost(): boolean {
    return this.#isLost;
  }

  get highestSlot(): bigint {
    return this.#highestSlot;
  }

  /** Position of the newest View that was accepted; null before the first. */
  get position(): Position | null {
    return this.#sequence === 0 ? null : { token: this.#options.token, sequence: this.#sequence };
  }

  /** Whether the View was accepted. It may be served then, and not otherwise. */
  async publish(view: View): Promise<boolean> {
    const { observer } = this.#options;
    if (this.#isLost) return false;
    try {
      if (await this.#send(view)) return true;
      observer.refused('DEPOSED');
    } catch (failure) {
      observer.failed(failure);
    }
    this.#isLost = true;
    return false;
  }

  /** Replaces the snapshot by the newest View, unless it is that View. */
  async writeSnapshot(): Promise<void> {
    while (this.#snapshot !== null) await this.#snapshot;
    if (this.#snapshotSequence === this.#sequence) return;
    this.#snapshot = this.#replaceSnapshot().finally(() => {
      this.#snapshot = null;
    });
    await this.#snapshot;
  }

  async #send(view: View): Promise<boolean> {
    const { chain, channel, observer, token, snapshotEvery } = this.#options;
    const { timesDiscarded } = chain;
    const hasDiscarded = timesDiscarded !== this.#timesDiscarded;
    const base = hasDiscarded ? null : this.#newest;
    const changes = differences(base, view);
    const seen = highestSlotOf(view.moment, changes.accounts);
    const highestSlot = hasDiscarded || seen > this.#highestSlot ? seen : this.#highestSlot;
    const position = { token, sequence: this.#sequence + 1 };
    const message: ViewMessage = {
      ...position,
      previous: base?.moment.id ?? null,
      highestSlot,
      leaveBehind: hasDiscarded ? seen : null,
      moment: view.moment,
    };
    const bytes = await encodeMessage(message, changes);
    const { slot, timestamp, builtAtMs } = view.moment;
    const progress = { slot, timestamp, highestSlot, builtAtMs };
    const accepted =
      base === null
        ? await channel.publishWhole(position, progress, bytes)
        : await channel.publishChanges(position, progress, bytes);
    if (!accepted) return false;
    observer.sent(bytes.length);
    this.#newest = view;
    this.#timesDiscarded = timesDiscarded;
    this.#sequence = position.sequence;
    this.#highestSlot = highestSlot;
    if (base === null) this.#snapshotSequence = position.sequence;
    else if (position.sequence - this.#snapshotSequence >= snapshotEvery) void this.#writeSoon();
    return true;
  }

  async #writeSoon(): Promise<void> {
    try {
      if (this.#snapshot === null) await this.writeSnapshot();
    } catch (failure) {
      this.#options.observer.failed(failure);
    }
  }

  async #replaceSnapshot(): Promise<void> {
    const { channel, observer, token } = this.#options;
    const [view, sequence, highestSlot] = [this.#newest, this.#sequence, this.#highestSlot];
    if (view === null) return;
    const message = { token, sequence, previous: null, highestSlot, leaveBehind: null, moment: view.moment };
    const bytes = await encodeMessage(message, differences(null, view));
    if (!(await channel.replaceSnapshot({ token, sequence }, bytes))) return;
    observer.sent(bytes.length);
    this.#snapshotSequence = sequence;
  }
}
