import type { Positions } from '../chain/positions/positions.ts';
import type { View } from '../chain/view/view.ts';
import type { FedChain } from '../chain/view/view-feed.ts';
import type { PositionsUpdate } from '../chain/view/view-update.ts';
import type { FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import type { FindPosition } from './position-changes.ts';
import { PositionLoader } from './position-loader.ts';
import { entriesBetween, type Followed, followSteps, type StepsFrom } from './position-steps.ts';
import { isSameState, type KnownStates, type PositionsState } from './positions-state.ts';
import type { ViewMessage } from './view-message.ts';

export interface PositionFollowerOptions {
  readonly chain: FedChain;
  readonly channel: FeedChannel;
  readonly observer: FeedObserver;
  readonly seal: FeedSeal;
  readonly states: KnownStates;
  /** Asks the reader for a snapshot of positions, because that of the entry cannot be used; empty when there is none. */
  readonly askForPositions: (unusable: string) => void;
}

/** How a View gets its positions. */
export interface PreparedPositions {
  /** Undefined: as in the View before it. */
  readonly update: PositionsUpdate | undefined;
  /** Their state; null when it has none. */
  readonly state: PositionsState | null;
}

interface KnownPositions {
  readonly positions: Positions;
  readonly state: PositionsState;
}

const SUSPENDED: PreparedPositions = { update: { state: 'suspended' }, state: null };
const NONE: PreparedPositions = { update: { state: 'lost' }, state: null };
/** Fewer may be closed at any time. */
const MANY = 1_000;

const findIn =
  (positions: Positions): FindPosition =>
  (kind, address) =>
    positions.account(kind, address);

/**
 * Positions of the Views of a reader. Views have them while every change has arrived; otherwise they are loaded again in the
 * background, and Views have none until then.
 */
export class PositionFollower {
  readonly #options: PositionFollowerOptions;
  /** Place of the newest View that was adopted. */
  #adopted: Position | null = null;
  #loader: PositionLoader | null = null;
  /** The last positions, while the reader has none: it may go on from them. */
  #suspended: KnownPositions | null = null;
  /** Accounts in the last View that had any. */
  #lastCount = 0;

  constructor(options: PositionFollowerOptions) {
    this.#options = options;
  }

  /**
   * The positions of a View that is about to be adopted.
   *
   * @param changes its changes of positions; null to take all since the newest View from the stream
   */
  async prepare(
    { token, sequence, positions: target, highestSlot }: ViewMessage,
    changes: Buffer | null,
  ): Promise<PreparedPositions> {
    const known = this.#known() ?? this.#suspended;
    this.#suspended = target === null ? known : null;
    if (target === null) return known === null ? NONE : SUSPENDED;
    const loader = this.#loader;
    const loaded = loader?.ready ?? null;
    const from = known === null ? loaded : { state: known.state, find: findIn(known.positions) };
    if (from === null || this.#isEmptied(target)) return NONE;
    const followed = await this.#follow({ token, sequence }, target, from, changes);
    if (followed === null || !isSameState(followed.state, target)) return NONE;
    if (followed.highestSlot > highestSlot) {
      this.#options.observer.refused('IMPLAUSIBLE');
      return NONE;
    }
    if (loader !== null && from === loaded) {
      this.#loader = null;
      this.#options.observer.positionsLoaded();
      return { update: loader.take(followed.changes), state: target };
    }
    return { update: { state: 'changed', changes: followed.changes }, state: target };
  }

  /** The positions of the newest View. */
  #known(): KnownPositions | null {
    const { chain, states } = this.#options;
    const positions = chain.views.newest?.positions ?? null;
    const state = states.of(positions);
    return positions === null || state === null ? null : { positions, state };
  }

  /** The View has been adopted. Begins to load its positions if it should have some and has none. */
  adopted(view: View, { state }: PreparedPositions, message: ViewMessage): void {
    const { token, sequence, positions: target, highestSlot } = message;
    this.#adopted = { token, sequence };
    if (view.positions !== null && state !== null) {
      this.#options.states.set(view.positions, state);
      this.#lastCount = state.count;
      this.stop();
    } else if (target === null) this.stop();
    else {
      const goal = { position: this.#adopted, state: target, highestSlot };
      if (this.#loader === null) this.#loader = new PositionLoader(this.#options, this.#isEmptied, goal);
      else this.#loader.adopted(goal);
    }
  }

  /** The newest View is our own, at this place in the feed. */
  servedOwn(position: Position | null): void {
    this.#adopted = position;
    this.#suspended = null;
    this.stop();
  }

  /** Stops loading. */
  stop(): void {
    this.#loader?.stop();
    this.#loader = null;
  }

  async #follow(
    position: Position,
    target: PositionsState,
    from: StepsFrom,
    changes: Buffer | null,
  ): Promise<Followed | null> {
    const after = this.#adopted;
    if (isSameState(from.state, target)) return { state: target, changes: [], highestSlot: 0n };
    if (changes !== null)
      return await followSteps(this.#options, from, [{ position, message: null, positions: changes }]);
    if (after === null) return null;
    return await followSteps(this.#options, from, entriesBetween(this.#options.channel, after, position));
  }

  /** Whether most positions would be gone. Accounts of wallets are then read from the RPC until the gateway is started again. */
  readonly #isEmptied = ({ count }: PositionsState): boolean => {
    if (this.#lastCount < MANY || count * 2 >= this.#lastCount) return false;
    this.#options.observer.refused('EMPTIED');
    return true;
  };
}
