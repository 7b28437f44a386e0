import { Rational } from '@sluice/protocol/numeric/rational';
import { type Address, isAddress } from '@solana/kit';
import { SluiceError } from '../errors/sluice-error.ts';
import { growingLru } from '../node/growing-lru.ts';
import { decimalFrom } from './decimals.ts';

/** A database row: decimals, 64-bit integers and lists as text, instants as milliseconds. */
export type Row = Readonly<Record<string, unknown>>;

export function decimalOf(row: Row, column: string): Rational {
  return optionalDecimalOf(row, column) ?? refuse(row, column, 'a decimal');
}

export function optionalDecimalOf(row: Row, column: string): Rational | null {
  const value = row[column];
  if (value === null) return null;
  return (typeof value === 'string' ? decimalFrom(value) : undefined) ?? refuse(row, column, 'a decimal');
}

/** The exact mean of a bucket, from its stored sum. */
export function meanOf(row: Row, name: string): Rational {
  return meanOver(decimalOf(row, `${name}_sum`), integerOf(row, 'samples'));
}

/** The mean over the samples that have the value; null when none has. */
export function optionalMeanOf(row: Row, name: string): Rational | null {
  const count = integerOf(row, `${name}_count`);
  return count === 0 ? null : meanOver(decimalOf(row, `${name}_sum`), count);
}

function meanOver({ n, d }: Rational, count: number): Rational {
  return count === 1 ? Rational.of(n, d) : Rational.of(n, d * BigInt(count));
}

export function integerOf(row: Row, column: string): number {
  return optionalIntegerOf(row, column) ?? refuse(row, column, 'an integer');
}

export function optionalIntegerOf(row: Row, column: string): number | null {
  const value = row[column];
  if (value === null) return null;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : refuse(row, column, 'an integer');
}

export function bigintOf(row: Row, column: string): bigint {
  const value = row[column];
  return typeof value === 'string' && /^-?\d+$/.test(value)
    ? BigInt(value)
    : refuse(row, column, 'an integer');
}

export function textOf(row: Row, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : refuse(row, column, 'text');
}

/** Addresses that were checked. Checking one decodes it, and thousands of rows name the same few. */
const checked = growingLru<string, Address>(50_000);

export function addressOf(row: Row, column: string): Address {
  const value = row[column];
  if (typeof value !== 'string') return refuse(row, column, 'an address');
  const known = checked.get(value);
  if (known !== undefined) return known;
  if (!isAddress(value)) return refuse(row, column, 'an address');
  checked.set(value, value);
  return value;
}

export function addressesOf(row: Row, column: string): readonly Address[] {
  return elementsOf(row, column).map((element) =>
    isAddress(element) ? element : refuse(row, column, 'a list of addresses'),
  );
}

export function instantOf(row: Row, column: string): Date {
  return optionalInstantOf(row, column) ?? refuse(row, column, 'an instant');
}

export function optionalInstantOf(row: Row, column: string): Date | null {
  const value = row[column];
  if (value === null) return null;
  return typeof value === 'number' && Number.isFinite(value)
    ? new Date(Math.round(value))
    : refuse(row, column, 'an instant');
}

export function integersOf(row: Row, column: string): readonly number[] {
  return elementsOf(row, column).map((element) => {
    const value = Number(element);
    return Number.isSafeInteger(value) ? value : refuse(row, column, 'a list of integers');
  });
}

export function decimalsOf(row: Row, column: string): readonly Rational[] {
  return elementsOf(row, column).map(
    (element) => decimalFrom(element) ?? refuse(row, column, 'a list of decimals'),
  );
}

/** A null list is empty. */
function elementsOf(row: Row, column: string): readonly string[] {
  const value = row[column];
  if (value === null || value === '{}') return [];
  if (typeof value !== 'string' || !value.startsWith('{') || !value.endsWith('}')) {
    return refuse(row, column, 'a list');
  }
  return value.slice(1, -1).split(',');
}

/** A row that contradicts the schema is our bug; its value is only in the cause. */
export function refuse(row: Row, column: string, expected: string): never {
  const held = String(row[column]).slice(0, 80);
  throw new SluiceError(
    'INTERNAL',
    {},
    { cause: new Error(`Expected ${column} to be ${expected}, got "${held}"`) },
  );
}
