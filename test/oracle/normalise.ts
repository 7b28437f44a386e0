import BN from 'bn.js';
import type { Shape } from './shape.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A value that the SDK decoded, in the form that README.md describes. */
export function normalised(shape: Shape, decoded: unknown): Json {
  switch (shape.kind) {
    case 'int':
      if (typeof decoded !== 'number') throw new Error('expected a number');
      return decoded;
    case 'big':
      if (!BN.isBN(decoded)) throw new Error('expected a BN');
      return decoded.toString(10);
    case 'bool':
      if (typeof decoded !== 'boolean') throw new Error('expected a boolean');
      return decoded;
    case 'address':
      if (typeof decoded !== 'string') throw new Error('expected an address');
      return decoded;
    case 'bytes':
      return Buffer.from(listOf(decoded, shape.length) as number[]).toString('hex');
    case 'array':
      return listOf(decoded, shape.length).map((element) => normalised(shape.element, element));
    case 'struct':
      return structOf(shape, decoded);
  }
}

function listOf(decoded: unknown, length: number): unknown[] {
  if (!Array.isArray(decoded) || decoded.length !== length) throw new Error(`expected ${length} elements`);
  return decoded;
}

function structOf(shape: Extract<Shape, { kind: 'struct' }>, decoded: unknown): Json {
  const object = decoded as Record<string, unknown>;
  const known = shape.fields.map(({ name }) => name);
  const extra = Object.keys(object).filter((name) => !known.includes(name));
  if (extra.length > 0) throw new Error(`fields that are not in the layout: ${extra.join(', ')}`);
  return Object.fromEntries(
    shape.fields.map(({ name, shape: inner }) => [name, normalised(inner, object[name])]),
  );
}
