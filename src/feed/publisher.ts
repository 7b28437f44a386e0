import type { View } from '../chain/view/view.ts';
import type { FedChain, ReadFrom } from '../chain/view/view-feed.ts';
import type { FeedChannel, Position, Published } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import { type CarriedPositions, PositionPublisher } from './position-publisher.ts';
import type { KnownStates } from './positions-state.ts';
import { highestSlotOf, maxOf } from './progress.ts';
import { RetainedEntries } from './retained-entries.ts';
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
  readonly states: KnownStates;
}

/** What is published of a View, apart from the View. */
interface Publication extends Pick<ViewMessage, 'sequence' | 'highestSlot' | 'discardAfter'> {
  readonly positions: CarriedPositions;
}

/** Publishes the Views of one lease, the first one whole, the others as changes. */
export class Publisher {
  readonly #options: PublisherOptions;
  readonly #retained: RetainedEntries;
  readonly #positions: PositionPublisher;
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
    this.#retained = new RetainedEntries(options.channel.maxEntries);
    this.#positions = new PositionPublisher({
      ...options,
      retained: this.#retained,
      base: options.chain.views.newest?.positions ?? null,
    });
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

  /** Writes a snapshot of positions for a follower that cannot use the one of an entry, or found none. */
  async writePositions(unusable: string): Promise<void> {
    await this.#positions.writeSnapshot(unusable);
  }

  /** The lease has ended. */
  stop(): void {
    this.#positions.stop();
  }

  async #send(view: View): Promise<boolean> {
    const { chain, observer, token } = this.#options;
    const { timesDiscarded } = chain;
    const hasDiscarded = timesDiscarded !== this.#timesDiscarded;
    const continued = hasDiscarded ? null : this.#newest;
    const read = highestSlotOf(view.moment, differences(continued, view).accounts);
    const seen = maxOf(read, view.positions?.slot ?? 0n);
    const highestSlot = hasDiscarded || seen > this.#highestSlot ? seen : this.#highestSlot;
    const sequence = this.#sequence + 1;
    const discardAfter = hasDiscarded ? seen : null;
    const positions = await this.#positions.carried(view, `${token}-${sequence}`);
    const publish = (base: View | null) =>
      this.#publishFrom(base, view, { sequence, highestSlot, discardAfter, positions });
    let base = continued;
    let published = await publish(base);
    if (published === 'ALTERED' || published === 'LOST') {
      observer.refused(published);
      base = null;
      published = await publish(base);
    }
    if (published !== 'ACCEPTED') return false;
    this.#newest = view;
    this.#positions.accepted(view, { token, sequence });
    this.#timesDiscarded = timesDiscarded;
    this.#sequence = sequence;
    this.#highestSlot = highestSlot;
    if (base === null) this.#snapshotSequence = sequence;
    else if (sequence - this.#snapshotSequence >= this.#options.snapshotEvery) void this.#writeSoon();
    return true;
  }

  /** Publishes the differences of a View from another, or the whole of it. */
  async #publishFrom(base: View | null, view: View, publication: Publication): Promise<Published> {
    const { observer } = this.#options;
    const bytes = await this.#encode(base, view, publication);
    const size = bytes.length + (publication.positions.changes?.length ?? 0);
    const published = await this.#publishBytes(base !== null, bytes, view, publication);
    if (published === 'ACCEPTED') observer.sent(size);
    return published;
  }

  async #publishBytes(
    isContinued: boolean,
    bytes: Buffer,
    view: View,
    { sequence, highestSlot, positions: { changes } }: Publication,
  ): Promise<Published> {
    const { channel, token } = this.#options;
    const { slot, timestamp, builtAtMs } = view.moment;
    const progress = { slot, timestamp, highestSlot, builtAtMs };
    const position = { token, sequence };
    const size = (isContinued ? bytes.length : 0) + (changes?.length ?? 0);
    if (!isContinued) {
      if (!(await channel.publishWhole(position, progress, bytes, changes))) return 'DEPOSED';
      this.#retained.restart();
      this.#retained.added(size, 1);
      return 'ACCEPTED';
    }
    const kept = this.#retained.keepWith(size);
    const published = await channel.publishChanges(position, progress, bytes, changes, kept);
    if (published === 'ACCEPTED') this.#retained.added(size, kept);
    return published;
  }

  async #encode(
    base: View | null,
    view: View,
    { sequence, highestSlot, discardAfter, positions: { state } }: Publication,
  ): Promise<Buffer> {
    const { token, intervalMs, seal } = this.#options;
    const { moment } = view;
    const message = {
      sequence,
      highestSlot,
      discardAfter,
      token,
      intervalMs,
      positions: state,
      previous: base?.moment.id ?? null,
      moment,
    };
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
    const { channel, observer, states, token } = this.#options;
    const [view, sequence, highestSlot] = [this.#newest, this.#sequence, this.#highestSlot];
    if (view === null) return;
    const positions = { state: states.of(view.positions), changes: null };
    const bytes = await this.#encode(null, view, { sequence, highestSlot, discardAfter: null, positions });
    if (!(await channel.replaceSnapshot({ token, sequence }, bytes))) return;
    observer.sent(bytes.length);
    this.#snapshotSequence = sequence;
  }
}
