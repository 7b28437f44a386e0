import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { ChainAccount } from '../chain/accounts/account-page.ts';
import { POSITION_KINDS, type PositionKind } from '../chain/positions/position-kinds.ts';
import { ByteCursor } from '../chain/positions/varint.ts';
import { unpackZeroRuns } from '../chain/positions/zero-runs.ts';
import { scheduler } from '../node/cooperative-scheduler.ts';
import { ByteWriter } from './byte-writer.ts';
import { type FeedSeal, TAG_BYTES } from './feed-seal.ts';
import { type PositionsState, withoutPosition, withPosition } from './positions-state.ts';
import { FEED_FORMAT, UnauthenticMessage, UnreadableMessage } from './view-message.ts';

/** An account before and after the changes of a View. Null: there is none. */
export interface PositionDifference {
  readonly kind: PositionKind;
  readonly address: Address;
  readonly before: ChainAccount | null;
  readonly after: ChainAccount | null;
}

/** The states before and after some changes. */
export interface PositionStep {
  readonly from: PositionsState;
  readonly to: PositionsState;
}

/** Finds an account in the state that changes apply to. */
export type FindPosition = (kind: PositionKind, address: Address) => ChainAccount | null;

const MAGIC = Buffer.from(`SLP${FEED_FORMAT}`);
/** These two bound memory. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_ACCOUNT_BYTES = 10 * 1024 * 1024;
const ADDRESS_BYTES = 32;

/** Flags beside the number of a kind. */
const CLOSED = 0x80;
const DIFFERENCE = 0x40;
const KIND_BITS = 0x3f;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

/** The state after the differences. */
export async function stateAfter(
  from: PositionsState,
  differences: readonly PositionDifference[],
): Promise<PositionsState> {
  let state = from;
  for (const { kind, before, after } of differences) {
    const pause = scheduler.pause();
    if (pause !== null) await pause;
    if (before !== null) state = withoutPosition(state, { kind, account: before });
    if (after !== null) state = withPosition(state, { kind, account: after });
  }
  return state;
}

/**
 * The bytes of changes: magic, tag, then compressed the two states, the owners and the changes. An account that keeps its length
 * is sent as its XOR with what it was, which is nearly all zeros. The tag covers the entry of the stream.
 */
export async function encodeChanges(
  { from, to }: PositionStep,
  differences: readonly PositionDifference[],
  seal: FeedSeal,
  entry: string,
): Promise<Buffer> {
  const owners = new Map<Address, number>();
  const changes = new ByteWriter();
  for (const difference of differences) {
    const pause = scheduler.pause();
    if (pause !== null) await pause;
    writeDifference(changes, difference, owners);
  }
  const head = new ByteWriter();
  for (const { count, checksum } of [from, to]) {
    head.varint(count);
    head.varint(checksum);
  }
  head.varint(owners.size);
  for (const owner of owners.keys()) head.address(owner);
  head.varint(differences.length);
  const plain = Buffer.concat([head.written, changes.written]);
  const packed = await compress(plain, { level: constants.Z_BEST_SPEED });
  return Buffer.concat([MAGIC, seal.tag('positions', entry, MAGIC, packed), packed]);
}

function writeDifference(
  writer: ByteWriter,
  { kind, address, before, after }: PositionDifference,
  owners: Map<Address, number>,
): void {
  const isDifference = after !== null && before !== null && before.data.length === after.data.length;
  const flags = (after === null ? CLOSED : 0) + (isDifference ? DIFFERENCE : 0);
  writer.varint(POSITION_KINDS.indexOf(kind) + flags);
  writer.address(address);
  if (after === null) return;
  const { owner, slot, lamports, data } = after;
  const number = owners.get(owner) ?? owners.size;
  owners.set(owner, number);
  writer.varint(number);
  writer.u64(slot);
  writer.u64(lamports);
  writer.varint(data.length);
  writer.packed(isDifference ? xor(data, before.data) : data);
}

/** Genuine changes, whose accounts are read when the state before them is at hand. */
export class PositionChanges implements PositionStep {
  readonly from: PositionsState;
  readonly to: PositionsState;
  readonly #owners: readonly Address[];
  readonly #count: number;
  readonly #plain: Uint8Array;
  readonly #changesAt: number;

  /**
   * Opens the changes of an entry.
   * @throws UnauthenticMessage before anything of them is read
   * @throws UnreadableMessage
   */
  static async open(bytes: Uint8Array, seal: FeedSeal, entry: string): Promise<PositionChanges> {
    const magic = bytes.subarray(0, MAGIC.length);
    const tag = bytes.subarray(MAGIC.length, MAGIC.length + TAG_BYTES);
    const packed = bytes.subarray(MAGIC.length + TAG_BYTES);
    if (!seal.isGenuine(tag, 'positions', entry, magic, packed))
      throw new UnauthenticMessage('its tag is wrong');
    try {
      return new PositionChanges(await expand(packed, { maxOutputLength: MAX_BYTES }));
    } catch (cause) {
      throw new UnreadableMessage('its contents are malformed', { cause });
    }
  }

  private constructor(plain: Uint8Array) {
    const cursor = new ByteCursor(plain, 0);
    const state = () => ({ count: cursor.varint(), checksum: cursor.varint() });
    this.from = state();
    this.to = state();
    this.#owners = Array.from({ length: countOf(cursor) }, () => readAddress(cursor));
    this.#count = countOf(cursor);
    this.#plain = plain;
    this.#changesAt = cursor.at;
  }

  /**
   * The accounts before and after.
   * @throws UnreadableMessage when they are malformed, or do not lead from the one state to the other
   */
  async against(find: FindPosition): Promise<readonly PositionDifference[]> {
    const cursor = new ByteCursor(this.#plain, this.#changesAt);
    const differences: PositionDifference[] = [];
    try {
      for (let i = 0; i < this.#count; i += 1) {
        const pause = scheduler.pause();
        if (pause !== null) await pause;
        differences.push(this.#read(cursor, find));
      }
    } catch (cause) {
      throw new UnreadableMessage('its contents are malformed', { cause });
    }
    if (cursor.at !== this.#plain.length) throw new UnreadableMessage('it is too long');
    const { count, checksum } = await stateAfter(this.from, differences);
    if (count !== this.to.count || checksum !== this.to.checksum)
      throw new UnreadableMessage('it leads to another state');
    return differences;
  }

  #read(cursor: ByteCursor, find: FindPosition): PositionDifference {
    const flags = cursor.varint();
    const kind = POSITION_KINDS[flags & KIND_BITS];
    if (kind === undefined || flags >= 2 * CLOSED) throw new RangeError('there is no such kind');
    const address = readAddress(cursor);
    const before = find(kind, address);
    if ((flags & CLOSED) !== 0) return { kind, address, before, after: null };
    const owner = this.#owners[cursor.varint()];
    if (owner === undefined) throw new RangeError('there is no such owner');
    const slot = cursor.u64();
    const lamports = cursor.u64();
    const data = readPacked(cursor);
    if ((flags & DIFFERENCE) !== 0) {
      if (before?.data.length !== data.length)
        throw new RangeError('it changes an account that is not there');
      xorInto(data, before.data);
    }
    return { kind, address, before, after: { address, owner, data, lamports, slot } };
  }
}

/** Each counted thing takes at least one byte, which bounds memory. */
function countOf(cursor: ByteCursor): number {
  const count = cursor.varint();
  if (count > cursor.bytes.length - cursor.at) throw new RangeError('it ends early');
  return count;
}

function readAddress(cursor: ByteCursor): Address {
  const bytes = cursor.bytes.subarray(cursor.at, cursor.at + ADDRESS_BYTES);
  if (bytes.length !== ADDRESS_BYTES) throw new RangeError('it ends early');
  cursor.at += ADDRESS_BYTES;
  return addressFromBytes(bytes);
}

function readPacked(cursor: ByteCursor): Uint8Array {
  const length = cursor.varint();
  const end = cursor.varint() + cursor.at;
  if (length > MAX_ACCOUNT_BYTES || end > cursor.bytes.length) throw new RangeError('it ends early');
  const data = new Uint8Array(length);
  unpackZeroRuns(cursor, end, data);
  return data;
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  const result = Uint8Array.from(a);
  xorInto(result, b);
  return result;
}

function xorInto(target: Uint8Array, mask: Uint8Array): void {
  for (let i = 0; i < target.length; i += 1) target[i] = (target[i] ?? 0) ^ (mask[i] ?? 0);
}
