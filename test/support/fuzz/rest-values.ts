import type { Random } from '@sluice/localnet/world/prng';
import type { DocumentedParameter } from '../contract/openapi-validator.ts';
import type { ValuePool } from '../execution/query-arguments.ts';
import { oddText } from './odd-values.ts';

const DATES = [
  '2026-05-01T00:00:00Z',
  '2026-05-31',
  '1780000000',
  '1780000000000',
  '0',
  '1970-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '2026-06-01T00:00:00+02:00',
  '2026-02-29',
];
const AMOUNTS = [
  '1',
  '0',
  '0.000001',
  '1.5',
  '-1',
  '1000000000000',
  '0.0000000000001',
  '1e5',
  '18446744073709.551615',
  '.5',
  '5.',
];
const NUMBERS = ['0', '1', '2', '-1', '20', '999', '1000', '1001', '1.0', '1e2', '2147483648', '00'];

/** The kind of address that a path segment before `{pubkey}` implies. */
const NAMED_BY: Readonly<Record<string, string>> = {
  users: 'wallet',
  loans: 'obligation',
  'svc-market': 'market',
  mints: 'mint',
};

/** The kind of a parameter, by its name or by the path segment before it. */
export function placeOf(path: string, name: string): string {
  if (name.toLowerCase().includes('user')) return 'wallet';
  if (name !== 'pubkey') return name;
  const before = path.split('/').at(path.split('/').indexOf('{pubkey}') - 1) ?? '';
  return NAMED_BY[before] ?? before;
}

/** A valid value, a boundary value, or sometimes an invalid one. */
export function parameterValue(
  { name, schema }: Pick<DocumentedParameter, 'name' | 'schema'>,
  place: string,
  pool: ValuePool,
  random: Random,
): string {
  if (random.chance(12)) return oddText(random);
  const {
    type,
    pattern,
    enum: choices,
  } = schema as { type?: string; pattern?: string; enum?: readonly string[] };
  if (choices !== undefined) return random.chance(80) ? random.pick(choices) : 'other';
  if (type === 'boolean') return random.pick(['true', 'false', 'true', 'false', '1', '']);
  if (type === 'integer') return random.pick(NUMBERS);
  if (type === 'array' || pattern !== undefined) return String(random.pick(pool.scalar('Address', place)));
  if (name === 'start' || name === 'end') return random.pick(DATES);
  if (name === 'amount') return random.pick(AMOUNTS);
  return random.pick(['USDC', 'SOL', 'Season1', 'x', '']);
}
