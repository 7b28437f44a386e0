/** A decoded value in JSON types. */
export type Plain = string | number | boolean | readonly Plain[] | PlainStruct;

export interface PlainStruct {
  readonly [name: string]: Plain;
}

/**
 * Every field of a decoded account by name: big integers as text, addresses in base58, bytes as a list of numbers.
 * Enumerates the value's fields, so a field added to a layout is included automatically.
 */
export function plainStruct(value: object): PlainStruct {
  const fields: [string, Plain][] = [];
  // Struct fields are getters on the prototype: `for in` finds them, Object.keys does not.
  for (const name in value) fields.push([name, plain((value as Record<string, unknown>)[name])]);
  return Object.fromEntries(fields);
}

function plain(value: unknown): Plain {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return [...value];
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === 'object' && value !== null ? plainStruct(value) : (value as Plain);
}
