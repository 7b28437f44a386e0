import { type Address, getAddressDecoder } from '@solana/kit';
import BN from 'bn.js';
import type { Prng } from './prng.ts';
import type { Shape } from './shape.ts';

/** A value that the SDK's layout can encode. */
export type Value = number | boolean | BN | Address | Value[] | { [name: string]: Value };

/** Fields that a case sets; what it leaves out comes from the base value. Array holes keep the base's element. */
export type Overrides<T> = T extends BN | string | number | boolean
  ? T
  : T extends readonly (infer U)[]
    ? readonly (Overrides<U> | undefined)[]
    : { readonly [K in keyof T]?: Overrides<T[K]> };

export interface Fill {
  int(bits: number, signed: boolean): bigint;
  byte(): number;
  bool(): boolean;
  address(): Address;
}

const address32 = (byte: number): Address => getAddressDecoder().decode(Buffer.alloc(32, byte));

const maximum = (bits: number, signed: boolean): bigint => (1n << BigInt(signed ? bits - 1 : bits)) - 1n;

export const zeroFill: Fill = {
  int: () => 0n,
  byte: () => 0,
  bool: () => false,
  address: () => address32(0),
};

export const maximumFill: Fill = {
  int: maximum,
  byte: () => 255,
  bool: () => true,
  address: () => address32(255),
};

/** Signed numbers at their minimum, unsigned at 1: the sign bit and the low bit of every number. */
export const minimumFill: Fill = {
  int: (bits, signed) => (signed ? -(1n << BigInt(bits - 1)) : 1n),
  byte: () => 1,
  bool: () => true,
  address: () => address32(1),
};

export function randomFill(prng: Prng): Fill {
  return {
    int: (bits, signed) => (signed ? BigInt.asIntN(bits, prng.bits(bits)) : prng.bits(bits)),
    byte: () => prng.int(0, 255),
    bool: () => prng.int(0, 1) === 1,
    address: () => prng.address(),
  };
}

export function filled(shape: Shape, fill: Fill): Value {
  switch (shape.kind) {
    case 'int':
      return Number(fill.int(shape.bits, shape.signed));
    case 'big':
      return bn(fill.int(shape.bits, shape.signed));
    case 'bool':
      return fill.bool();
    case 'address':
      return fill.address();
    case 'bytes':
      return Array.from({ length: shape.length }, () => fill.byte());
    case 'array':
      return Array.from({ length: shape.length }, () => filled(shape.element, fill));
    case 'struct':
      return Object.fromEntries(shape.fields.map(({ name, shape: inner }) => [name, filled(inner, fill)]));
  }
}

/** The base with the overrides put over it, at any depth. An unknown field or an array too long is an error. */
export function overridden(base: Value, overrides: unknown): Value {
  if (overrides === undefined) return base;
  if (Array.isArray(base)) {
    const given = overrides as readonly unknown[];
    if (given.length > base.length) throw new Error(`${given.length} values for ${base.length} places`);
    return base.map((element, index) => overridden(element, given[index]));
  }
  if (typeof base === 'object' && !BN.isBN(base)) {
    const given = overrides as Record<string, unknown>;
    for (const name of Object.keys(given)) if (!(name in base)) throw new Error(`no field ${name}`);
    return Object.fromEntries(
      Object.entries(base).map(([name, inner]) => [name, overridden(inner, given[name])]),
    );
  }
  return overrides as Value;
}

export function bn(value: bigint | number): BN {
  return new BN(value.toString());
}

/** UTF-8 text in a zero-padded byte array. */
export function textBytes(text: string, length: number): number[] {
  const bytes = Buffer.alloc(length);
  Buffer.from(text, 'utf8').copy(bytes);
  return [...bytes];
}
