import type { Address } from '@solana/kit';
import type { PositionChange } from '../chain/positions/position-kinds.ts';
import type { Entry, FeedChannel, Position } from './feed-channel.ts';
import type { FeedObserver } from './feed-observer.ts';
import type { FeedSeal } from './feed-seal.ts';
import { type FindPosition, PositionChanges, type PositionDifference } from './position-changes.ts';
import { isSameState, type PositionsState } from './positions-state.ts';
import { maxOf } from './progress.ts';
import { UnauthenticMessage, UnreadableMessage } from './view-message.ts';

export interface StepsOptions {
  readonly channel: FeedChannel;
  readonly seal: FeedSeal;
  readonly observer: FeedObserver;
}

/** A state and where its accounts are. */
export interface StepsFrom {
  readonly state: PositionsState;
  readonly find: FindPosition;
}

/** The changes of several entries as one. */
export interface Followed {
  readonly state: PositionsState;
  readonly changes: readonly PositionChange[];
  /** The highest slot of a changed account. */
  readonly highestSlot: bigint;
}

/**
 * Reads the changes of positions in some entries.
 *
 * @returns null when they do not continue the state, or one of them cannot be used
 */
export async function followSteps(
  options: StepsOptions,
  from: StepsFrom,
  entries: Iterable<Entry> | AsyncIterable<Entry>,
): Promise<Followed | null> {
  let { state } = from;
  const changed = new Map<string, PositionDifference>();
  const find: FindPosition = (kind, address) => {
    const newer = changed.get(keyOf(kind, address));
    return newer === undefined ? from.find(kind, address) : newer.after;
  };
  for await (const entry of entries) {
    if (entry.positions === null) continue;
    const step = await read(options, entry, { state, find });
    if (step === null) return null;
    for (const each of step.differences) changed.set(keyOf(each.kind, each.address), each);
    state = step.to;
  }
  const changes = [...changed.values()].map(
    ({ kind, address, after }): PositionChange => ({
      kind,
      address,
      account: after,
      slot: after?.slot ?? 0n,
    }),
  );
  return { state, changes, highestSlot: changes.reduce((highest, { slot }) => maxOf(highest, slot), 0n) };
}

/** The state to which the first changes in some entries apply; null when there are no changes. */
export async function firstState(
  { seal }: StepsOptions,
  entries: AsyncIterable<Entry>,
): Promise<PositionsState | null> {
  for await (const { position, positions } of entries) {
    if (positions === null) continue;
    return (await PositionChanges.open(positions, seal, entryName(position))).from;
  }
  return null;
}

/** Entries after a position up to another one, read a few at a time. */
export async function* entriesBetween(
  channel: FeedChannel,
  after: Position,
  upTo: Position,
): AsyncGenerator<Entry> {
  for (let last = after; ; ) {
    const entries = await channel.entriesBetween(last, upTo);
    yield* entries;
    const newest = entries.at(-1);
    if (newest === undefined) return;
    last = newest.position;
  }
}

async function read({ seal, observer }: StepsOptions, { position, positions }: Entry, from: StepsFrom) {
  const bytes = positions ?? Buffer.alloc(0);
  observer.received(bytes.length);
  try {
    const changes = await PositionChanges.open(bytes, seal, entryName(position));
    if (!isSameState(changes.from, from.state)) return null;
    return { differences: await changes.against(from.find), to: changes.to };
  } catch (error) {
    if (error instanceof UnauthenticMessage) observer.refused('UNAUTHENTIC');
    else if (error instanceof UnreadableMessage) observer.refused('UNREADABLE');
    else throw error;
    return null;
  }
}

const entryName = ({ token, sequence }: Position) => `${token}-${sequence}`;

const keyOf = (kind: string, address: Address) => `${kind} ${address}`;
