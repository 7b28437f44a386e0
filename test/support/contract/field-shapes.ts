import { isAddress } from '@solana/kit';
import { significantDigits } from '../../../packages/protocol/test/support/numbers.ts';

/** Expected form of a value. A key that ends with `?` is optional. */
export type Shape =
  | Word
  | { readonly oneOf: readonly string[] }
  | { readonly list: Shape; readonly length?: number }
  | { readonly map: Shape }
  | { readonly nullable: Shape }
  | { readonly fields: Readonly<Record<string, Shape>> };

type Word = keyof typeof WORDS;

const text = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value);
const DAY_MS = 86_400_000;

/** Meaning of each word of the tables. */
const WORDS = {
  anything: () => true,
  string: text(/^/),
  /** Neither empty nor blank. */
  label: text(/\S/),
  number: Number.isFinite,
  integer: Number.isSafeInteger,
  boolean: (value: unknown) => typeof value === 'boolean',
  address: (value: unknown) => typeof value === 'string' && isAddress(value),
  base64: text(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
  /** Plain notation: no exponent, no zeros at the end, no zero with a sign, at most 34 significant digits. */
  decimal: (value: unknown) =>
    text(/^(?:0|-?[1-9]\d*|-?(?:0|[1-9]\d*)\.\d*[1-9])$/)(value) && significantDigits(String(value)) <= 34,
  /** An integer of 64 or more bits. */
  integerString: text(/^(?:0|[1-9]\d*)$/),
  /** The same, but zero has two digits. */
  twoDigits: text(/^(?:00|[1-9]\d*)$/),
  /** ISO 8601 with milliseconds and Z, of a day that exists. */
  date: (value: unknown) =>
    text(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)(value) && new Date(String(value)).toJSON() === value,
  /** Milliseconds since the epoch; seconds would be in the January of 1970. */
  epochMs: (value: unknown) => Number.isSafeInteger(value) && Number(value) > 10_000 * DAY_MS,
  uri: (value: unknown) => text(/^https?:\/\/./)(value) && URL.canParse(String(value)),
} as const satisfies Record<string, (value: unknown) => boolean>;

/** Every way in which a value does not fit: a field that is missing, extra, of another type, or null. */
export function misfits(shape: Shape, value: unknown, at = '$'): string[] {
  if (typeof shape === 'string') return WORDS[shape](value) ? [] : [`${at} is no ${shape}: ${shown(value)}`];
  if ('nullable' in shape) return value === null ? [] : misfits(shape.nullable, value, at);
  if ('oneOf' in shape) {
    return shape.oneOf.some((each) => each === value) ? [] : [`${at} is ${shown(value)}`];
  }
  if ('list' in shape) return listMisfits(shape, value, at);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no object`];
  if ('map' in shape) {
    return Object.entries(value).flatMap(([key, item]) => misfits(shape.map, item, `${at}.${key}`));
  }
  return fieldMisfits(shape.fields, value, at);
}

function listMisfits(
  { list, length }: { list: Shape; length?: number },
  value: unknown,
  at: string,
): string[] {
  if (!Array.isArray(value)) return [`${at} is no list`];
  const wrong = length === undefined || value.length === length ? [] : [`${at} has ${value.length} items`];
  return [...wrong, ...value.flatMap((item, i) => misfits(list, item, `${at}[${i}]`))];
}

const shown = (value: unknown) => String(JSON.stringify(value)).slice(0, 80);

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
