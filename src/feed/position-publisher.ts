import type { PositionAccount } from '../chain/positions/position-kinds.ts';
import type { Positions } from '../chain/positions/positions.ts';
import type { View } from '../chain/view/view.ts';
import { scheduler } from '../node/cooperative-scheduler.ts';
import type { FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import { encodeChanges, type PositionDifference, stateAfter } from './position-changes.ts';
import { encodeManifest, MANIFEST_FIELD, type PartPlace, PartWriter, partsOf } from './position-parts.ts';
import {
  isSameState,
  type KnownStates,
  NO_POSITIONS,
  type PositionsState,
  withPosition,
} from './positions-state.ts';
import type { RetainedEntries } from './retained-entries.ts';

export interface PositionPublisherOptions {
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly seal: FeedSeal;
  readonly states: KnownStates;
  readonly retained: RetainedEntries;
  /** Positions of the newest View before this reader's first; null when it has none. */
  readonly base: Positions | null;
}

/** Positions as a message carries them. */
export interface CarriedPositions {
  /** Null: the View has none, or their state is being computed. */
  readonly state: PositionsState | null;
  /** Null when followers have to load them, and when nothing has changed. */
  readonly changes: Buffer | null;
}

interface Known {
  readonly positions: Positions;
  readonly state: PositionsState;
}

/** With more, followers load the positions. */
const MAX_CHANGES_BYTES = 8 * 1024 * 1024;
/** A snapshot is written again after this many times as long as it took, however often it is asked for. */
const REST_FACTOR = 5;
const MIN_REST_MS = 1_000;

/** Publishes the positions of the Views of one lease: their changes with each View, and a snapshot in parts when asked. */
export class PositionPublisher {
  readonly #options: PositionPublisherOptions;
  /** Positions to which the next changes refer; null until the state of any is known. */
  #base: Known | null = null;
  #counting: Positions | null = null;
  /** The newest published View with positions, and where it is. */
  #published: (Known & { readonly position: Position }) | null = null;
  /** Entry of the last snapshot that was begun. */
  #snapshot: string | null = null;
  #writing: Promise<void> | null = null;
  #restsUntil = 0;
  #isStopped = false;

  constructor(options: PositionPublisherOptions) {
    this.#options = options;
    const state = options.states.of(options.base);
    if (options.base !== null && state !== null) this.#base = { positions: options.base, state };
  }

  /** The lease has ended. */
  stop(): void {
    this.#isStopped = true;
  }

  /** What the message of a View carries of its positions. */
  async carried({ positions }: View, entry: string): Promise<CarriedPositions> {
    if (positions === null) return { state: null, changes: null };
    const base = this.#base;
    const changed = base === null ? null : positions.changesSince(base.positions);
    if (base === null || changed === null) {
      this.#base = null;
      this.#count(positions);
      return { state: null, changes: null };
    }
    const differences = await scheduler.map(
      changed,
      ({ kind, address }): PositionDifference => ({
        kind,
        address,
        before: base.positions.account(kind, address),
        after: positions.account(kind, address),
      }),
    );
    const state = await stateAfter(base.state, differences);
    this.#options.states.set(positions, state);
    if (isSameState(state, base.state)) return { state, changes: null };
    const changes = await encodeChanges(
      { from: base.state, to: state },
      differences,
      this.#options.seal,
      entry,
    );
    return { state, changes: changes.length > MAX_CHANGES_BYTES ? null : changes };
  }

  /** The View has been published there. */
  accepted({ positions }: View, position: Position): void {
    const state = this.#options.states.of(positions);
    if (positions === null || state === null) {
      this.#published = null;
      return;
    }
    this.#base = { positions, state };
    this.#published = { positions, state, position };
  }

  /**
   * Writes a snapshot of the newest positions, unless followers can use the last one.
   *
   * @param unusable entry of the one that a follower cannot use; empty when it found none
   */
  async writeSnapshot(unusable: string): Promise<void> {
    if (this.#published === null || this.#isStopped || performance.now() < this.#restsUntil) return;
    const isUsable = unusable !== this.#snapshot && this.#options.retained.isSnapshotFresh;
    if (isUsable && (await this.#isThere())) return;
    if (this.#writing !== null) return await this.#writing;
    const startedAt = performance.now();
    this.#writing = this.#write(this.#published).finally(() => {
      const tookMs = performance.now() - startedAt;
      this.#restsUntil = performance.now() + Math.max(MIN_REST_MS, tookMs * REST_FACTOR);
      this.#writing = null;
    });
    await this.#writing;
  }

  /** Whether the last snapshot has not been deleted or replaced by somebody else. */
  async #isThere(): Promise<boolean> {
    return (await this.#options.channel.readPositions(MANIFEST_FIELD))?.entry === this.#snapshot;
  }

  async #write({ positions, state, position }: Known & { readonly position: Position }): Promise<void> {
    const { channel, observer, seal, retained } = this.#options;
    const entry = `${position.token}-${position.sequence}`;
    const parts = partsOf(state.count);
    retained.beginSnapshot();
    this.#snapshot = entry;
    const send = async (field: string, bytes: Buffer) => {
      if (this.#isStopped || !(await channel.writePositions(position, field, bytes))) return false;
      observer.sent(bytes.length);
      return true;
    };
    const writer = new PartWriter();
    let index = 0;
    const sendPart = async () => {
      const place: PartPlace = { entry, index, parts };
      index += 1;
      return await send(String(place.index), await writer.finish(place, seal));
    };
    for (const account of positions.eachInTurn()) {
      const pause = scheduler.pause();
      if (pause !== null) await pause;
      writer.add(account);
      if (writer.isFull && !(await sendPart())) return;
    }
    if (!writer.isEmpty && !(await sendPart())) return;
    await send(MANIFEST_FIELD, encodeManifest({ state, parts }, seal, entry));
  }

  /** Computes the state of positions that were loaded anew, in the background. Those of later Views follow from it. */
  #count(positions: Positions): void {
    if (this.#counting !== null) return;
    this.#counting = positions;
    void stateOf(positions.eachInTurn(), () => this.#isStopped)
      .then((state) => {
        if (state === null) return;
        this.#options.states.set(positions, state);
        this.#base ??= { positions, state };
      })
      .catch((failure: unknown) => this.#options.observer.failed(failure))
      .finally(() => {
        this.#counting = null;
      });
  }
}

/** Null when it was stopped first. */
async function stateOf(
  accounts: Iterable<PositionAccount>,
  isStopped: () => boolean,
): Promise<PositionsState | null> {
  let state = NO_POSITIONS;
  for (const account of accounts) {
    const pause = scheduler.pause();
    if (pause !== null) await pause;
    if (isStopped()) return null;
    state = withPosition(state, account);
  }
  return state;
}
