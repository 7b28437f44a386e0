import type { View } from '../chain/view/view.ts';
import type { FedChain } from '../chain/view/view-feed.ts';
import type { ViewUpdate } from '../chain/view/view-update.ts';
import { unlessAborted } from '../node/unless-aborted.ts';
import type { Entry, FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver, FeedRefusal } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import { highestClaimIn, isFromFuture, isStale, losesMost } from './plausible-view.ts';
import { PositionFollower, type PreparedPositions } from './position-follower.ts';
import type { KnownStates } from './positions-state.ts';
import { maxOf } from './progress.ts';
import {
  decodeMessage,
  type MessagePlace,
  UnauthenticMessage,
  UnreadableMessage,
  type ViewMessage,
} from './view-message.ts';

export interface FollowerOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly seal: FeedSeal;
  readonly states: KnownStates;
  /** Asks for a snapshot of positions: that of the entry cannot be used; empty when there is none. */
  readonly askForPositions: (unusable: string) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

interface Decoded {
  readonly message: ViewMessage;
  readonly update: ViewUpdate;
}

/** Slots that our RPC may lag behind that of the reader. */
const MAX_SLOT_SPREAD = 64n;

/**
 * Serves the Views of a reader, in their order, and never one that would go back. It believes a View when a gateway with the
 * shared secret has sent it, and the chain can have come so far.
 */
export class Follower {
  readonly #options: FollowerOptions;
  readonly #now: () => number;
  readonly #positions: PositionFollower;
  /** Place of the newest View in the feed; null when it is not from there. */
  #position: Position | null = null;
  #needsSnapshot = true;
  #highestSlot = 0n;
  #highestToken = 0n;
  /** Entry of the last snapshot, if it could not be used. */
  #unusable: string | null = null;
  #servedAt = Number.NEGATIVE_INFINITY;
  #intervalMs = 0;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#positions = new PositionFollower(options);
  }

  /** Stops what runs in the background. */
  stop(): void {
    this.#positions.stop();
  }

  /** The highest slot of anything in the Views served here. */
  get highestSlot(): bigint {
    return this.#highestSlot;
  }

  /** The highest fencing token of any reader seen here. Redis may have lost it in a failover. */
  get highestToken(): bigint {
    return this.#highestToken;
  }

  /** Our own, or that of a View that was served. */
  sawToken(token: bigint): void {
    this.#highestToken = maxOf(this.#highestToken, token);
  }

  /** Null when the snapshot has to be taken first. */
  get position(): Position | null {
    return this.#needsSnapshot ? null : this.#position;
  }

  /** Milliseconds since the next View was due; negative before. */
  get overdueMs(): number {
    return performance.now() - this.#servedAt - this.#intervalMs;
  }

  /** The newest View is our own. */
  servedOwn(highestSlot: bigint, position: Position | null): void {
    this.#highestSlot = highestSlot;
    this.#position = position;
    this.#needsSnapshot = position === null;
    this.#positions.servedOwn(position);
    this.#servedAt = performance.now();
  }

  /** Starts over from the snapshot, after Views of a false slot have been dropped. */
  restart(): void {
    this.servedOwn(0n, null);
    this.#unusable = null;
  }

  /** Serves the View of an entry, or finds out that the snapshot is needed. Serves nothing once the signal is aborted. */
  async apply({ position, message: bytes, positions: changes }: Entry, signal: AbortSignal): Promise<void> {
    const { observer } = this.#options;
    const last = this.#position;
    const isNext = last?.token === position.token && last.sequence + 1 === position.sequence;
    // Entries after one that cannot be used are not read. The reader replaces entries that are not its own.
    this.#needsSnapshot = true;
    if (bytes === null) return;
    observer.received(bytes.length);
    if (!isNext) return observer.refused('GAP');
    const entry = `${position.token}-${position.sequence}`;
    const decoded = await this.#decode(bytes, { kind: 'changes', entry });
    if (decoded === null || !(await this.#isPlausible(decoded, signal))) return;
    this.#serve(decoded, await this.#positions.prepare(decoded.message, changes), signal);
  }

  /** Serves the snapshot. False when there is none, or none that can be used. Serves nothing once the signal is aborted. */
  async takeSnapshot(signal: AbortSignal): Promise<boolean> {
    const { chain, channel, observer } = this.#options;
    const snapshot = await unlessAborted(channel.snapshotUnless(this.#unusable), signal);
    if (snapshot === null) return false;
    observer.received(snapshot.message.length);
    this.#unusable = snapshot.entry;
    const decoded = await this.#decode(snapshot.message, { kind: 'whole', entry: snapshot.entry });
    if (decoded === null) return false;
    const { discardAfter } = decoded.message;
    if (!this.#isLater(decoded.message)) {
      observer.refused('OLDER');
      return false;
    }
    if (!(await this.#isPlausible(decoded, signal))) return false;
    if (discardAfter !== null) {
      if (await this.#hasReached(chain.views.newest, discardAfter, signal)) {
        observer.refused('IMPLAUSIBLE');
        return false;
      }
      signal.throwIfAborted();
      chain.views.discardAfter(discardAfter);
    }
    this.#serve(decoded, await this.#positions.prepare(decoded.message, null), signal);
    this.#unusable = null;
    observer.snapshotTaken();
    return true;
  }

  #serve({ message, update }: Decoded, positions: PreparedPositions, signal: AbortSignal): void {
    signal.throwIfAborted();
    const { token, sequence, highestSlot, intervalMs } = message;
    const ofPositions = positions.update === undefined ? {} : { positions: positions.update };
    const view = this.#options.chain.adopt({ ...update, ...ofPositions });
    this.#positions.adopted(view, positions, message);
    this.#position = { token, sequence };
    this.sawToken(token);
    this.#highestSlot = highestSlot;
    this.#needsSnapshot = false;
    this.#servedAt = performance.now();
    this.#intervalMs = intervalMs;
  }

  async #decode(bytes: Buffer, place: MessagePlace): Promise<Decoded | null> {
    const { chain, observer, seal } = this.#options;
    try {
      return await decodeMessage(bytes, chain.views.newest, seal, place);
    } catch (error) {
      if (error instanceof UnauthenticMessage) observer.refused('UNAUTHENTIC');
      else if (error instanceof UnreadableMessage) observer.refused('UNREADABLE');
      else throw error;
      return null;
    }
  }

  async #isPlausible(decoded: Decoded, signal: AbortSignal): Promise<boolean> {
    const refusal = await this.#implausibility(decoded, signal);
    if (refusal !== null) this.#options.observer.refused(refusal);
    return refusal === null;
  }

  async #implausibility({ message, update }: Decoded, signal: AbortSignal): Promise<FeedRefusal | null> {
    const { chain } = this.#options;
    const { newest } = chain.views;
    if (isFromFuture(message, this.#now())) return 'IMPLAUSIBLE';
    if (newest === undefined && isStale(message, this.#now())) return 'STALE';
    if (losesMost(newest, update)) return 'EMPTIED';
    const slot = highestClaimIn(message, update);
    const { timestamp } = message.moment;
    return (await chain.believes({ slot, timestamp }, signal)) ? null : 'IMPLAUSIBLE';
  }

  /** Whether our own RPC confirms the View that the reader tells us to drop. */
  async #hasReached(newest: View | undefined, discardAfter: bigint, signal: AbortSignal): Promise<boolean> {
    if (newest === undefined || newest.moment.slot <= discardAfter + MAX_SLOT_SPREAD) return false;
    const reached = await this.#options.chain.probe(signal).catch(() => 0n);
    return reached + MAX_SLOT_SPREAD >= newest.moment.slot;
  }

  /**
   * Whether the View is not older than the newest one here in any of its accounts. Views of one reader are in order. Those
   * of another one must have been read as a whole after everything that was served here.
   */
  #isLater({ token, sequence, moment, discardAfter }: ViewMessage): boolean {
    const newest = this.#options.chain.views.newest;
    if (newest === undefined) return true;
    const last = this.#position;
    if (last?.token === token) return sequence > last.sequence;
    if (last !== null && token < last.token) return false;
    if (discardAfter !== null && last !== null) return true;
    return moment.slot >= newest.moment.slot && moment.slotWhole >= this.#highestSlot;
  }
}
