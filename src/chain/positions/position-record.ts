import { viewOf } from '@sluice/protocol/layout/account';
import { addressBytes, readAddress } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import type { AddressDictionary } from './address-dictionary.ts';
import { POSITION_KEYS, POSITION_KINDS, type PositionAccount, type PositionKind } from './position-kinds.ts';
import { ByteCursor, writeU64, writeVarint } from './varint.ts';
import { maxPackedBytes, packZeroRuns, unpackZeroRuns } from './zero-runs.ts';

/**
 * An account in a record: address and wallet in full, then kind, owner, slot, lamports and length, the numbers of the
 * addresses that it shares with others, and its other bytes without runs of zeros. Nothing is lost. Numbers are those of
 * one dictionary, so records stay in the process that made them.
 */
export const ADDRESS_AT = 0;
export const WALLET_AT = 32;
export const KIND_AT = 64;
const OWNER_AT = 65;
const ADDRESS_BYTES = 32;
const MAX_HEAD_BYTES = 200;
const NO_GROUP = 0;
/** Number of the zero address, which unused places of deposits and debts have. */
const NO_ADDRESS = 0;
/** Bit beside the kind of an account with a wrong owner, discriminator or length. */
const UNREADABLE = 0x80;

export const numberOf = (kind: PositionKind) => POSITION_KINDS.indexOf(kind);

/** Space for one record, and for an account without the addresses that are written apart; each used within one call only. */
let record = new Uint8Array(4_096);
let rest = new Uint8Array(4_096);

/** Record of an account, its place in the indexes included. */
export interface PackedPosition {
  /** Valid until the next record is packed. */
  readonly bytes: Uint8Array;
  /** Number of the address of its group; 0 when it has none. */
  readonly group: number;
}

export function packPosition(
  { kind, account }: PositionAccount,
  dictionary: AddressDictionary,
  isReadable: boolean,
): PackedPosition {
  const { address, owner, slot, lamports, data } = account;
  const keys = POSITION_KEYS[kind];
  const view = viewOf(data);
  const needed = MAX_HEAD_BYTES + maxPackedBytes(data.length);
  if (record.length < needed) record = new Uint8Array(needed);
  if (rest.length < data.length) rest = new Uint8Array(data.length);
  rest.set(data);
  record.set(addressBytes(address), ADDRESS_AT);
  record.fill(0, WALLET_AT, KIND_AT);
  if (holds(data.length, keys.wallet)) {
    record.set(data.subarray(keys.wallet, keys.wallet + ADDRESS_BYTES), WALLET_AT);
    rest.fill(0, keys.wallet, keys.wallet + ADDRESS_BYTES);
  }
  record[KIND_AT] = numberOf(kind) | (isReadable ? 0 : UNREADABLE);
  let end = writeVarint(record, OWNER_AT, dictionary.of(owner));
  end = writeU64(record, end, slot);
  end = writeU64(record, end, lamports);
  end = writeVarint(record, end, data.length);
  let group = NO_GROUP;
  for (const offset of keys.shared) {
    if (!holds(data.length, offset)) continue;
    const number = isZeroAt(view, offset) ? NO_ADDRESS : dictionary.of(readAddress(view, offset));
    if (offset === keys.group) group = number;
    end = writeVarint(record, end, number);
    rest.fill(0, offset, offset + ADDRESS_BYTES);
  }
  end = packZeroRuns(rest.subarray(0, data.length), record, end);
  return { bytes: record.subarray(0, end), group };
}

/** Memory for the data of accounts that are used one after the other. */
export class ReusedBytes {
  #bytes = new Uint8Array(4_096);

  /** Zeroed, until the next call. */
  of(length: number): Uint8Array {
    if (this.#bytes.length < length) this.#bytes = new Uint8Array(length);
    return this.#bytes.subarray(0, length).fill(0);
  }
}

/**
 * The account of a record of the dictionary.
 *
 * @param reused its data is valid until the next account that is unpacked there; absent: for ever
 */
export function unpackPosition(
  packed: Uint8Array,
  dictionary: AddressDictionary,
  reused?: ReusedBytes,
): PositionAccount {
  const kind = kindOf(packed);
  const keys = POSITION_KEYS[kind];
  const cursor = new ByteCursor(packed, OWNER_AT);
  const owner = dictionary.address(cursor.varint());
  const slot = cursor.u64();
  const lamports = cursor.u64();
  const length = cursor.varint();
  const data = reused?.of(length) ?? new Uint8Array(length);
  const shared = keys.shared.flatMap((offset) =>
    holds(data.length, offset) ? [{ offset, number: cursor.varint() }] : [],
  );
  unpackZeroRuns(cursor, packed.length, data);
  if (holds(data.length, keys.wallet)) data.set(packed.subarray(WALLET_AT, KIND_AT), keys.wallet);
  for (const { offset, number } of shared) if (number !== 0) data.set(dictionary.bytes(number), offset);
  return { kind, account: { address: addressOf(packed), owner, data, lamports, slot } };
}

export function addressOf(packed: Uint8Array): Address {
  return readAddress(viewOf(packed), ADDRESS_AT);
}

export function walletOf(packed: Uint8Array): Address {
  return readAddress(viewOf(packed), WALLET_AT);
}

export function kindOf(packed: Uint8Array): PositionKind {
  return kindOfByte(packed[KIND_AT] ?? 0);
}

/** The kind that the byte at `KIND_AT` stands for. */
export function kindOfByte(byte: number): PositionKind {
  const kind = POSITION_KINDS[byte & ~UNREADABLE];
  if (kind === undefined) throw new RangeError('a packed account has no kind');
  return kind;
}

/** Whether owner, discriminator and length are those of the kind. */
export function wasReadable(packed: Uint8Array): boolean {
  return ((packed[KIND_AT] ?? 0) & UNREADABLE) === 0;
}

/** Whether a record is of a kind and has an address at an offset. */
export function hasKey(packed: Uint8Array, kind: PositionKind, at: number, key: Uint8Array): boolean {
  if (kindOf(packed) !== kind) return false;
  for (let i = 0; i < ADDRESS_BYTES; i += 1) if (packed[at + i] !== key[i]) return false;
  return true;
}

function isZeroAt(view: DataView, offset: number): boolean {
  for (let i = 0; i < ADDRESS_BYTES; i += 4) if (view.getUint32(offset + i) !== 0) return false;
  return true;
}

function holds(length: number, offset: number): boolean {
  return offset + ADDRESS_BYTES <= length;
}
