import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import { addressFromBytes } from '@sluice/protocol/layout/base58';
import { z } from 'zod';
import { AddressDictionary } from '../chain/positions/address-dictionary.ts';
import type { PositionAccount } from '../chain/positions/position-kinds.ts';
import { packPosition, ReusedBytes, unpackPosition } from '../chain/positions/position-record.ts';
import { ByteCursor } from '../chain/positions/varint.ts';
import { ByteWriter } from './byte-writer.ts';
import { type FeedSeal, TAG_BYTES } from './feed-seal.ts';
import type { PositionsState } from './positions-state.ts';
import { FEED_FORMAT, UnauthenticMessage, UnreadableMessage } from './view-message.ts';

/** Accounts in a part: less than a MB, which Redis sends in a moment even while many followers load. */
export const ACCOUNTS_PER_PART = 2_048;
/** Field of the snapshot in which its manifest is. The parts are in fields of their numbers. */
export const MANIFEST_FIELD = 'manifest';

/** What a snapshot of positions consists of. Written last. */
export interface PositionsManifest {
  readonly state: PositionsState;
  readonly parts: number;
}

/** The place of a part. */
export interface PartPlace {
  /** `token-sequence` of the View. */
  readonly entry: string;
  readonly index: number;
  readonly parts: number;
}

const MAGIC = Buffer.from(`SLS${FEED_FORMAT}`);
const ADDRESS_BYTES = 32;
/** A part of the largest obligations is smaller. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Bounds the work of a follower: twenty million accounts. */
const MAX_PARTS = 10_000;

const compress = promisify(deflateRaw);
const expand = promisify(inflateRaw);

const size = z.number().int().nonnegative();
const MANIFEST = z.object({
  state: z.object({ count: size, checksum: size }),
  parts: size.max(MAX_PARTS),
});

export const partsOf = (accounts: number): number => Math.ceil(accounts / ACCOUNTS_PER_PART);

export function encodeManifest(manifest: PositionsManifest, seal: FeedSeal, entry: string): Buffer {
  const text = JSON.stringify(manifest);
  return Buffer.concat([seal.tag('positions-manifest', entry, MAGIC, text), Buffer.from(text)]);
}

/** @throws UnauthenticMessage @throws UnreadableMessage */
export function decodeManifest(bytes: Uint8Array, seal: FeedSeal, entry: string): PositionsManifest {
  const text = bytes.subarray(TAG_BYTES);
  if (!seal.isGenuine(bytes.subarray(0, TAG_BYTES), 'positions-manifest', entry, MAGIC, text))
    throw new UnauthenticMessage('its tag is wrong');
  try {
    return MANIFEST.parse(JSON.parse(Buffer.from(text).toString()));
  } catch (cause) {
    throw new UnreadableMessage('its contents are malformed', { cause });
  }
}

/** Collects the accounts of one part after the other. */
export class PartWriter {
  #dictionary = new AddressDictionary();
  readonly #records = new ByteWriter();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  get isFull(): boolean {
    return this.#count === ACCOUNTS_PER_PART;
  }

  add(position: PositionAccount): void {
    const { bytes } = packPosition(position, this.#dictionary, true);
    this.#records.varint(bytes.length);
    this.#records.raw(bytes);
    this.#count += 1;
  }

  /**
   * The bytes of the part, which is empty again afterwards: tag, then compressed the addresses that records name by number, and
   * the records. The tag covers the place of the part and their number.
   */
  async finish(place: PartPlace, seal: FeedSeal): Promise<Buffer> {
    const head = new ByteWriter();
    head.varint(this.#dictionary.size);
    for (let number = 0; number < this.#dictionary.size; number += 1)
      head.raw(this.#dictionary.bytes(number));
    head.varint(this.#count);
    const plain = Buffer.concat([head.written, this.#records.written]);
    this.#dictionary = new AddressDictionary();
    this.#records.reset();
    this.#count = 0;
    const packed = await compress(plain, { level: constants.Z_BEST_SPEED });
    return Buffer.concat([tagOf(seal, place, packed), packed]);
  }
}

/**
 * The accounts of a part, each valid until the next: the memory of their data is reused.
 *
 * @throws UnauthenticMessage before anything of it is read
 * @throws UnreadableMessage, also while the accounts are taken
 */
export async function openPart(
  bytes: Uint8Array,
  seal: FeedSeal,
  place: PartPlace,
): Promise<Iterable<PositionAccount>> {
  const packed = bytes.subarray(TAG_BYTES);
  if (!seal.isGenuine(bytes.subarray(0, TAG_BYTES), ...sealedParts(place, packed)))
    throw new UnauthenticMessage('its tag is wrong');
  const plain = await expand(packed, { maxOutputLength: MAX_BYTES }).catch((cause: unknown) => {
    throw new UnreadableMessage('its contents are malformed', { cause });
  });
  return accountsIn(plain);
}

function* accountsIn(plain: Uint8Array): Generator<PositionAccount> {
  const cursor = new ByteCursor(plain, 0);
  const take = (length: number): Uint8Array => {
    const bytes = plain.subarray(cursor.at, cursor.at + length);
    if (bytes.length !== length) throw new RangeError('it ends early');
    cursor.at += length;
    return bytes;
  };
  try {
    const dictionary = new AddressDictionary();
    const reused = new ReusedBytes();
    for (let number = cursor.varint(); number > 0; number -= 1)
      dictionary.of(addressFromBytes(take(ADDRESS_BYTES)));
    for (let count = cursor.varint(); count > 0; count -= 1)
      yield unpackPosition(take(cursor.varint()), dictionary, reused);
  } catch (cause) {
    throw new UnreadableMessage('its contents are malformed', { cause });
  }
  if (cursor.at !== plain.length) throw new UnreadableMessage('it is too long');
}

const sealedParts = ({ entry, index, parts }: PartPlace, packed: Uint8Array) =>
  ['positions-part', entry, String(index), String(parts), MAGIC, packed] as const;

const tagOf = (seal: FeedSeal, place: PartPlace, packed: Uint8Array) =>
  seal.tag(...sealedParts(place, packed));
