import type { View } from '../chain/view/view.ts';
import type { FedChain, ReadFrom } from '../chain/view/view-feed.ts';
import type { FeedChannel, Position, Published } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import { highestSlotOf } from './progress.ts';
import { differences } from './view-differences.ts';
import { encodeMessage, type ViewMessage } from './view-message.ts';

export interface PublisherOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly seal: FeedSeal;
  /** Interval at which Views are built, in milliseconds. */
  readonly intervalMs: number;
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
    const { chain, observer } = this.#options;
    const { timesDiscarded } = chain;
    const hasDiscarded = timesDiscarded !== this.#timesDiscarded;
    const continued = hasDiscarded ? null : this.#newest;
    const seen = highestSlotOf(view.moment, differences(continued, view).accounts);
    const highestSlot = hasDiscarded || seen > this.#highestSlot ? seen : this.#highestSlot;
    const sequence = this.#sequence + 1;
    const discardAfter = hasDiscarded ? seen : null;
    const publish = (base: View | null) =>
      this.#publishFrom(base, view, { sequence, highestSlot, discardAfter });
    let base = continued;
    let published = await publish(base);
    if (published === 'ALTERED' || published === 'LOST') {
      observer.refused(published);
      base = null;
      published = await publish(base);
    }
    if (published !== 'ACCEPTED') return false;
    this.#newest = view;
    this.#timesDiscarded = timesDiscarded;
    this.#sequence = sequence;
    this.#highestSlot = highestSlot;
    if (base === null) this.#snapshotSequence = sequence;
    else if (sequence - this.#snapshotSequence >= this.#options.snapshotEvery) void this.#writeSoon();
    return true;
  }

  /** Publishes the differences of a View from another, or the whole of it. */
  async #publishFrom(
    base: View | null,
    view: View,
    place: Pick<ViewMessage, 'sequence' | 'highestSlot' | 'discardAfter'>,
  ): Promise<Published> {
    const { channel, observer, token } = this.#options;
    const { sequence, highestSlot } = place;
    const bytes = await this.#encode(base, view, place);
    const { slot, timestamp, builtAtMs } = view.moment;
    const progress = { slot, timestamp, highestSlot, builtAtMs };
    const position = { token, sequence };
    const published =
      base !== null
        ? await channel.publishChanges(position, progress, bytes)
        : (await channel.publishWhole(position, progress, bytes))
          ? 'ACCEPTED'
          : 'DEPOSED';
    if (published === 'ACCEPTED') observer.sent(bytes.length);
    return published;
  }

  async #encode(
    base: View | null,
    view: View,
    place: Pick<ViewMessage, 'sequence' | 'highestSlot' | 'discardAfter'>,
  ): Promise<Buffer> {
    const { token, intervalMs, seal } = this.#options;
    const { moment } = view;
    const message = { ...place, token, intervalMs, previous: base?.moment.id ?? null, moment };
    return await encodeMessage(message, differences(base, view), seal);
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
    const bytes = await this.#encode(null, view, { sequence, highestSlot, discardAfter: null });
    if (!(await channel.replaceSnapshot({ token, sequence }, bytes))) return;
    observer.sent(bytes.length);
    this.#snapshotSequence = sequence;
  }
}
