/** What the specification's tables say about a value. A key that ends with `?` may be absent. */
export type Shape =
  | 'string'
  | 'number'
  | 'boolean'
  | 'address'
  | 'base64'
  | { readonly oneOf: readonly string[] }
  | { readonly list: Shape }
  | { readonly map: Shape }
  | { readonly nullable: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

const TEXTS: Readonly<Record<string, RegExp>> = {
  string: /^/,
  address: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  base64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
};

/** Every way in which a value does not fit: a field that is missing, extra, of another type, or null. */
export function misfits(shape: Shape, value: unknown, at = '$'): string[] {
  if (typeof shape === 'string') return fitsWord(shape, value) ? [] : [`${at} is no ${shape}`];
  if ('nullable' in shape) return value === null ? [] : misfits(shape.nullable, value, at);
  if ('oneOf' in shape) {
    return shape.oneOf.some((each) => each === value) ? [] : [`${at} is ${JSON.stringify(value)}`];
  }
  if ('list' in shape) {
    return Array.isArray(value)
      ? value.flatMap((item, i) => misfits(shape.list, item, `${at}[${i}]`))
      : [`${at} is no list`];
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  if ('map' in shape) {
    return Object.entries(value).flatMap(([key, item]) => misfits(shape.map, item, `${at}.${key}`));
  }
  return fieldMisfits(shape.fields, value, at);
}

function fitsWord(shape: string, value: unknown): boolean {
  const pattern = TEXTS[shape];
  if (pattern !== undefined) return typeof value === 'string' && pattern.test(value);
  return typeof value === shape && (shape !== 'number' || Number.isFinite(value));
}

function fieldMisfits(fields: Readonly<Record<string, Shape>>, value: object, at: string): string[] {
  const known = new Map(Object.entries(fields).map(([key, shape]) => [key.replace(/\?$/, ''), shape]));
  const optional = new Set(
    Object.keys(fields).flatMap((key) => (key.endsWith('?') ? [key.slice(0, -1)] : [])),
  );
  const extra = Object.keys(value).filter((key) => !known.has(key));
  return [
    ...extra.map((key) => `${at}.${key} is extra`),
    ...[...known].flatMap(([key, shape]) => {
      if (!Object.hasOwn(value, key)) return optional.has(key) ? [] : [`${at}.${key} is missing`];
      return misfits(shape, (value as Readonly<Record<string, unknown>>)[key], `${at}.${key}`);
    }),
  ];
}

/** Instruction bundle, as the specification has it. */
export const BUNDLE: Shape = {
  fields: {
    instructions: {
      list: {
        fields: {
          programAddress: 'address',
          accounts: {
            list: {
              fields: {
                address: 'address',
                role: { oneOf: ['READONLY', 'WRITABLE', 'READONLY_SIGNER', 'WRITABLE_SIGNER'] },
                'signer?': { fields: { address: 'address' } },
              },
            },
          },
          data: 'base64',
        },
      },
    },
    lutsByAddress: { map: { list: 'address' } },
  },
};

export const TRANSACTION: Shape = { fields: { transaction: 'base64' } };

/** Builders' errors. */
export const BUILDER_ERROR: Shape = {
  fields: { statusCode: 'number', message: 'string', error: 'string', 'code?': 'string' },
};
