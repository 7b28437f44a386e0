import {
  POSITION_KINDS,
  type PositionAccount,
  type PositionChange,
} from '../chain/positions/position-kinds.ts';
import { PositionTable } from '../chain/positions/position-table.ts';
import type { FedChain } from '../chain/view/view-feed.ts';
import type { PositionsUpdate } from '../chain/view/view-update.ts';
import { scheduler } from '../node/cooperative-scheduler.ts';
import { pauseFor } from '../node/pause-for.ts';
import type { Position, Snapshot } from './feed-channel.ts';
import type { FindPosition } from './position-changes.ts';
import { decodeManifest, MANIFEST_FIELD, openPart, type PositionsManifest } from './position-parts.ts';
import {
  entriesBetween,
  firstState,
  followSteps,
  type StepsFrom,
  type StepsOptions,
} from './position-steps.ts';
import { isSameState, NO_POSITIONS, type PositionsState, withPosition } from './positions-state.ts';
import { maxOf } from './progress.ts';
import { UnauthenticMessage, UnreadableMessage } from './view-message.ts';

export interface PositionLoaderOptions extends StepsOptions {
  readonly chain: FedChain;
  readonly askForPositions: (unusable: string) => void;
}

/** The newest View that was adopted: where it is, and what its positions are to be. */
interface Goal {
  readonly position: Position;
  readonly state: PositionsState;
  /** No account can be of a later slot. */
  readonly highestSlot: bigint;
}

interface Loaded {
  readonly table: PositionTable;
  readonly state: PositionsState;
  readonly position: Position;
}

const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 5_000;
/** Of reading one part. */
const MAX_ATTEMPTS = 10;

/** Loads positions from the snapshot in Redis, then applies the changes after it until it has caught up with the Views. */
export class PositionLoader {
  readonly #options: PositionLoaderOptions;
  readonly #isEmptied: (state: PositionsState) => boolean;
  readonly #stop = new AbortController();
  #goal: Goal;
  #loaded: Loaded | null = null;
  /** Resolves when there is another goal. */
  #wake: () => void = () => undefined;

  constructor(options: PositionLoaderOptions, isEmptied: (state: PositionsState) => boolean, goal: Goal) {
    this.#options = options;
    this.#isEmptied = isEmptied;
    this.#goal = goal;
    void this.#run();
  }

  /** What it holds, if that is the state of the newest View; null before. */
  get ready(): StepsFrom | null {
    const loaded = this.#loaded;
    if (loaded === null || !isAt(loaded.position, this.#goal.position)) return null;
    return { state: loaded.state, find: findIn(loaded.table) };
  }

  /** Another View has been adopted. */
  adopted(goal: Goal): void {
    this.#goal = goal;
    this.#wake();
  }

  /** Gives the positions to the next View, after its changes. */
  take(changes: readonly PositionChange[]): PositionsUpdate | undefined {
    const table = this.#loaded?.table;
    this.stop();
    if (table === undefined) return { state: 'lost' };
    for (const change of changes) table.apply(change);
    return { state: 'loaded', table };
  }

  stop(): void {
    this.#stop.abort();
    this.#wake();
  }

  async #run(): Promise<void> {
    const { channel, askForPositions } = this.#options;
    const { signal } = this.#stop;
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      let unusable: string | null = '';
      try {
        const manifest = await channel.readPositions(MANIFEST_FIELD);
        if (manifest !== null) unusable = (await this.#follow(manifest)) ? manifest.entry : null;
      } catch (failure) {
        this.#failed(failure);
      }
      this.#loaded = null;
      if (signal.aborted) return;
      if (unusable !== null) askForPositions(unusable);
      await pauseFor(pauseMs, signal);
    }
  }

  #failed(failure: unknown): void {
    if (!this.#stop.signal.aborted) this.#options.observer.failed(failure);
  }

  /** Loads a snapshot and follows the Views from there, while it can. Returns whether another snapshot would help. */
  async #follow({ entry, message }: Snapshot): Promise<boolean> {
    const { observer, seal } = this.#options;
    try {
      const manifest = decodeManifest(message, seal, entry);
      if (this.#isEmptied(manifest.state)) return false;
      const position = positionOf(entry);
      if (!(await this.#continues(position, manifest.state))) return true;
      const { table, highestSlot } = await this.#load(entry, manifest);
      await this.#catchUp({ table, state: manifest.state, position }, highestSlot);
    } catch (error) {
      if (error instanceof UnauthenticMessage) observer.refused('UNAUTHENTIC');
      else if (error instanceof UnreadableMessage) observer.refused('UNREADABLE');
      else throw error;
    }
    return true;
  }

  /** Whether the stream still has what follows a snapshot. Otherwise loading it is in vain. */
  async #continues(position: Position, state: PositionsState): Promise<boolean> {
    const goal = this.#goal;
    if (!isBefore(position, goal.position)) return true;
    const entries = entriesBetween(this.#options.channel, position, goal.position);
    const next = await firstState(this.#options, entries);
    return isSameState(state, next ?? goal.state);
  }

  /** Applies the changes of every View that has been adopted. Returns when they do not lead to its state. */
  async #catchUp(start: Loaded, highestLoaded: bigint): Promise<void> {
    const { channel, observer } = this.#options;
    let loaded = start;
    for (;;) {
      this.#stop.signal.throwIfAborted();
      const goal = this.#goal;
      if (isBefore(loaded.position, goal.position)) {
        const entries = entriesBetween(channel, loaded.position, goal.position);
        const from = { state: loaded.state, find: findIn(loaded.table) };
        const followed = await followSteps(this.#options, from, entries);
        if (followed === null || !isSameState(followed.state, goal.state)) return;
        if (maxOf(followed.highestSlot, highestLoaded) > goal.highestSlot)
          return observer.refused('IMPLAUSIBLE');
        await scheduler.map(followed.changes, (change) => loaded.table.apply(change));
        loaded = { ...loaded, state: followed.state, position: goal.position };
      } else if (isAt(loaded.position, goal.position)) {
        if (!isSameState(loaded.state, goal.state)) return;
        if (highestLoaded > goal.highestSlot) return observer.refused('IMPLAUSIBLE');
      }
      this.#loaded = loaded;
      if (goal === this.#goal) await this.#nextGoal();
    }
  }

  async #nextGoal(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  async #load(
    entry: string,
    manifest: PositionsManifest,
  ): Promise<Counted & { readonly table: PositionTable }> {
    const counted: Counted = { state: NO_POSITIONS, highestSlot: 0n };
    const table = await PositionTable.load(
      this.#options.chain.programs,
      this.#accountsOf(entry, manifest, counted),
    );
    const held = POSITION_KINDS.reduce((sum, kind) => sum + table.count(kind), 0);
    if (!isSameState(counted.state, manifest.state) || held !== counted.state.count)
      throw new UnreadableMessage('its parts are of another state');
    return { ...counted, table };
  }

  /** Redis may be slow while many followers load: one command that fails must not be the end of the whole. */
  async #patiently<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (failure) {
        if (attempt === MAX_ATTEMPTS) throw failure;
        await pauseFor(attempt * FIRST_PAUSE_MS, this.#stop.signal);
        this.#stop.signal.throwIfAborted();
      }
    }
  }

  async *#accountsOf(
    entry: string,
    { parts }: PositionsManifest,
    counted: Counted,
  ): AsyncGenerator<PositionAccount> {
    const { channel, observer, seal } = this.#options;
    for (let index = 0; index < parts; index += 1) {
      this.#stop.signal.throwIfAborted();
      const part = await this.#patiently(() => channel.readPositions(String(index)));
      // Replaced by a later snapshot, or evicted.
      if (part?.entry !== entry) throw new UnreadableMessage('a part is missing');
      observer.received(part.message.length);
      for (const position of await openPart(part.message, seal, { entry, index, parts })) {
        counted.state = withPosition(counted.state, position);
        counted.highestSlot = maxOf(counted.highestSlot, position.account.slot);
        yield position;
      }
    }
  }
}

/** What has been loaded so far. */
interface Counted {
  state: PositionsState;
  highestSlot: bigint;
}

const findIn =
  (table: PositionTable): FindPosition =>
  (kind, address) => {
    const packed = table.find(kind, address);
    return packed === undefined ? null : table.unpack(packed).account;
  };

function positionOf(entry: string): Position {
  const [token = '', sequence = ''] = entry.split('-');
  return { token: BigInt(token), sequence: Number(sequence) };
}

const isAt = (a: Position, b: Position): boolean => a.token === b.token && a.sequence === b.sequence;

const isBefore = (a: Position, b: Position): boolean =>
  a.token < b.token || (a.token === b.token && a.sequence < b.sequence);
