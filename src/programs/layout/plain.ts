/** A decoded value as JSON can carry it. */
export type Plain = string | number | boolean | readonly Plain[] | PlainStruct;

export interface PlainStruct {
  readonly [name: string]: Plain;
}

/**
 * Every field of a decoded account under its own name: big integers as text, addresses in base58, bytes as a list of
 * numbers. It follows the value and names no field, so that what a layout gains cannot be forgotten.
 */
export function plainStruct(value: object): PlainStruct {
  const fields: [string, Plain][] = [];
  // Fields of a struct are getters of its prototype: found by `in`, not among own keys.
  for (const name in value) fields.push([name, plain((value as Record<string, unknown>)[name])]);
  return Object.fromEntries(fields);
}

function plain(value: unknown): Plain {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? plainStruct(value) : (value as Plain);
}
