import type { Address } from '@solana/kit';
import { ProtocolError } from '../protocol-error.ts';
import { addressBytes, readAddress } from './base58.ts';

/**
 * Reads and writes one value of fixed size. `T` is the type read; `I` the type written (structs accept a subset of
 * their fields, the rest stays zero). Reading never fails: the caller has checked the account's length.
 */
export interface Codec<T, I = T> {
  readonly size: number;
  /** The parts that are padding, by offset in the value; absent when there are none. */
  readonly padding?: readonly PaddingRange[];
  read(view: DataView, offset: number): T;
  write(view: DataView, offset: number, value: I): void;
}

/** Bytes that a program does not use. */
export interface PaddingRange {
  /** Path of the field, with `[]` for any item of an array. */
  readonly field: string;
  readonly offset: number;
  readonly length: number;
}

/** The type a codec reads. */
export type Decoded<C> = C extends Codec<infer T, infer _I> ? T : never;
/** The type a codec writes. */
export type Encodable<C> = C extends Codec<infer _T, infer I> ? I : never;

function outOfRange(
  what: string,
  value: bigint | number,
  min: bigint | number,
  max: bigint | number,
): ProtocolError {
  return new ProtocolError('NUMBER_OUT_OF_RANGE', {
    what,
    value: String(value),
    min: String(min),
    max: String(max),
  });
}

function smallInteger(
  name: string,
  size: number,
  max: number,
  get: (view: DataView, offset: number) => number,
  set: (view: DataView, offset: number, value: number) => void,
): Codec<number> {
  return {
    size,
    read: get,
    write(view, offset, value) {
      if (!Number.isInteger(value) || value < 0 || value > max) throw outOfRange(name, value, 0, max);
      set(view, offset, value);
    },
  };
}

export const u8 = smallInteger(
  'u8',
  1,
  0xff,
  (view, offset) => view.getUint8(offset),
  (view, offset, value) => view.setUint8(offset, value),
);
export const u16 = smallInteger(
  'u16',
  2,
  0xffff,
  (view, offset) => view.getUint16(offset, true),
  (view, offset, value) => view.setUint16(offset, value, true),
);
export const u32 = smallInteger(
  'u32',
  4,
  0xffff_ffff,
  (view, offset) => view.getUint32(offset, true),
  (view, offset, value) => view.setUint32(offset, value, true),
);

/** One byte; any value but zero is true. */
export const bool: Codec<boolean> = {
  size: 1,
  read: (view, offset) => view.getUint8(offset) !== 0,
  write: (view, offset, value) => view.setUint8(offset, value ? 1 : 0),
};

function checked(name: string, value: bigint, min: bigint, max: bigint): bigint {
  if (value < min || value > max) throw outOfRange(name, value, min, max);
  return value;
}

const U64_MAX = (1n << 64n) - 1n;
const U128_MAX = (1n << 128n) - 1n;
const I64_MAX = (1n << 63n) - 1n;

export const u64: Codec<bigint> = {
  size: 8,
  read: (view, offset) => view.getBigUint64(offset, true),
  write: (view, offset, value) => view.setBigUint64(offset, checked('u64', value, 0n, U64_MAX), true),
};

export const i64: Codec<bigint> = {
  size: 8,
  read: (view, offset) => view.getBigInt64(offset, true),
  write: (view, offset, value) =>
    view.setBigInt64(offset, checked('i64', value, -I64_MAX - 1n, I64_MAX), true),
};

export const u128: Codec<bigint> = {
  size: 16,
  read(view, offset) {
    const high = view.getBigUint64(offset + 8, true);
    const low = view.getBigUint64(offset, true);
    return high === 0n ? low : (high << 64n) | low;
  },
  write(view, offset, value) {
    checked('u128', value, 0n, U128_MAX);
    view.setBigUint64(offset, value & U64_MAX, true);
    view.setBigUint64(offset + 8, value >> 64n, true);
  },
};

export const publicKey: Codec<Address> = {
  size: 32,
  read: readAddress,
  write: (view, offset, value) => bytesAt(view, offset, 32).set(addressBytes(value)),
};

/** Raw bytes: names, opaque data. Reading returns a view into the account, not a copy. */
export function bytes(size: number): Codec<Uint8Array> {
  return {
    size,
    read: (view, offset) => bytesAt(view, offset, size),
    write(view, offset, value) {
      if (value.length > size) throw outOfRange('byte length', value.length, 0, size);
      bytesAt(view, offset, size).set(value);
    },
  };
}

function bytesAt(view: DataView, offset: number, size: number): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset + offset, size);
}

const utf8 = new TextDecoder();
const NUL = String.fromCharCode(0);

/** The text of a fixed-size field, up to the first NUL. Replaces invalid UTF-8, never fails. */
export function readText(field: Uint8Array): string {
  const end = field.indexOf(0);
  return utf8.decode(end < 0 ? field : field.subarray(0, end)).trim();
}

/** The bytes of a name for a fixed-size field. */
export function textBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text.replaceAll(NUL, ''));
}
