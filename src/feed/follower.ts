import type { FedChain } from '../chain/view/view-feed.ts';
import type { ViewUpdate } from '../chain/view/view-update.ts';
import type { Entry, FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import { decodeMessage, UnreadableMessage, type ViewMessage } from './view-message.ts';

export interface FollowerOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
}

/** Serves the Views of a reader, in their order, and never one that would go back. */
export class Follower {
  readonly #options: FollowerOptions;
  /** Place of the newest View in the feed; null when it is not from there. */
  #position: Position | null = null;
  #needsSnapshot = true;
  #highestSlot = 0n;
  /** Entry of the last snapshot, if it could not be used. */
  #unusable: string | null = null;

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** The highest slot of anything in the Views served here. */
  get highestSlot(): bigint {
    return this.#highestSlot;
  }

  /** Null when the snapshot has to be taken first. */
  get position(): Position | null {
    return this.#needsSnapshot ? null : this.#position;
  }

  /** The newest View is our own. */
  servedOwn(highestSlot: bigint, position: Position | null): void {
    this.#highestSlot = highestSlot;
    this.#position = position;
    this.#needsSnapshot = position === null;
  }

  /** Serves the View of an entry, or finds out that the snapshot is needed. */
  async apply({ position, message: bytes }: Entry): Promise<void> {
    const { observer } = this.#options;
    if (bytes === null) {
      this.#needsSnapshot = true;
      return;
    }
    observer.received(bytes.length);
    const last = this.#position;
    const isNext = last?.token === position.token && last.sequence + 1 === position.sequence;
    const decoded = isNext ? await this.#decode(bytes) : null;
    if (decoded === null) {
      if (!isNext) observer.refused('GAP');
      this.#needsSnapshot = true;
      return;
    }
    this.#serve(decoded.message, decoded.update);
  }

  /** Serves the snapshot. False when there is none, or none that can be used. */
  async takeSnapshot(): Promise<boolean> {
    const { chain, channel, observer } = this.#options;
    const snapshot = await channel.snapshotUnless(this.#unusable);
    if (snapshot === null) return false;
    observer.received(snapshot.message.length);
    this.#unusable = snapshot.entry;
    const decoded = await this.#decode(snapshot.message);
    if (decoded === null) return false;
    const { message, update } = decoded;
    if (!this.#isLater(message)) {
      observer.refused('OLDER');
      return false;
    }
    this.#unusable = null;
    if (message.leaveBehind !== null) chain.views.discardAfter(message.leaveBehind);
    this.#serve(message, update);
    this.#needsSnapshot = false;
    observer.snapshotTaken();
    return true;
  }

  #serve({ token, sequence, highestSlot }: ViewMessage, update: ViewUpdate): void {
    this.#options.chain.adopt(update);
    this.#position = { token, sequence };
    this.#highestSlot = highestSlot;
  }

  async #decode(bytes: Buffer) {
    const { chain, observer } = this.#options;
    try {
      return await decodeMessage(bytes, chain.views.newest);
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      observer.refused('UNREADABLE');
      return null;
    }
  }

  /**
   * Whether the View is not older than the newest one here in any of its accounts. Views of one reader are in order. Those
   * of another one must have been read as a whole after everything that was served here.
   */
  #isLater({ token, sequence, moment, leaveBehind }: ViewMessage): boolean {
    const newest = this.#options.chain.views.newest;
    if (newest === undefined) return true;
    const last = this.#position;
    if (last?.token === token) return sequence >= last.sequence;
    if (last !== null && token < last.token) return false;
    if (leaveBehind !== null && last !== null) return true;
    return moment.slot >= newest.moment.slot && moment.slotWhole >= this.#highestSlot;
  }
}
