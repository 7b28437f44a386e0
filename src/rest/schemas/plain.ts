import { z } from '@hono/zod-openapi';
import type { Fields, StructCodec } from '../../programs/layout/struct.ts';
import { addressOut } from './address.ts';
import { integerOut } from './decimal.ts';

/** The schema of `plainStruct`, derived from a zero value so that it has exactly the fields of the layout. */
export function plainSchema<F extends Fields>(layout: StructCodec<F>) {
  const zeros = layout.read(new DataView(new ArrayBuffer(layout.size)), 0);
  return structSchema(zeros);
}

function structSchema(value: object) {
  const fields: [string, z.ZodType][] = [];
  for (const name in value) fields.push([name, schemaLike((value as Record<string, unknown>)[name])]);
  return z.strictObject(Object.fromEntries(fields));
}

function schemaLike(value: unknown): z.ZodType {
  if (typeof value === 'bigint') return integerOut('Integer of 64 bits or more.');
  if (typeof value === 'number') return z.int().min(0);
  if (typeof value === 'boolean') return z.boolean();
  if (typeof value === 'string')
    return addressOut('An address. 11111111111111111111111111111111 means none.');
  if (value instanceof Uint8Array) return listOf(z.int().min(0).max(255), value.length);
  if (Array.isArray(value)) return listOf(schemaLike(value[0]), value.length);
  return structSchema(value as object);
}

/** Sets both bounds, because OpenAPI has no exact length. */
const listOf = (item: z.ZodType, length: number) => z.array(item).min(length).max(length);
