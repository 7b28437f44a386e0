import { z } from '@hono/zod-openapi';
import type { Fields, StructCodec } from '@sluice/protocol/layout/struct';
import { addressOut } from './address.ts';
import { integerOut } from './decimal.ts';

/** Component names of nested structs, by the field that holds them. */
type StructNames = Readonly<Record<string, string>>;

/** The schema of `plainStruct`, derived from a zero value so that it has exactly the fields of the layout. */
export function plainSchema<F extends Fields>(layout: StructCodec<F>, names: StructNames = {}) {
  const zeros = layout.read(new DataView(new ArrayBuffer(layout.size)), 0);
  return structSchema(zeros, names);
}

function structSchema(value: object, names: StructNames) {
  const fields: [string, z.ZodType][] = [];
  for (const name in value) {
    fields.push([name, schemaLike((value as Record<string, unknown>)[name], name, names)]);
  }
  return z.strictObject(Object.fromEntries(fields));
}

function schemaLike(value: unknown, field: string, names: StructNames): z.ZodType {
  if (typeof value === 'bigint') return integerOut('Integer of 64 bits or more.');
  if (typeof value === 'number') return z.int().min(0);
  if (typeof value === 'boolean') return z.boolean();
  if (typeof value === 'string')
    return addressOut('An address. 11111111111111111111111111111111 means none.');
  if (value instanceof Uint8Array) return listOf(z.int().min(0).max(255), value.length);
  if (Array.isArray(value)) return listOf(schemaLike(value[0], field, names), value.length);
  const schema = structSchema(value as object, names);
  const name = names[field];
  return name === undefined ? schema : schema.openapi(name);
}

/** Sets both bounds, because OpenAPI has no exact length. */
const listOf = (item: z.ZodType, length: number) => z.array(item).min(length).max(length);
