import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { exactNumber } from '../../src/cli/deployment/fields.ts';
import { exhaustedMs, retryAfterMs } from '../../src/cli/deployment/retry.ts';
import { IMPORT_HISTORY } from '../../src/cli/import-history/arguments.ts';

const NOW = new Date('2026-04-20T12:34:00.000Z');

describe('the arguments of an import', () => {
  const read = (...args: string[]) => IMPORT_HISTORY.read(args, NOW);
  const FROM = ['--from', 'https://api.example/base'];

  it('are read', () => {
    expect(read(...FROM)).toMatchObject({ start: null, end: NOW, requestsPerSecond: 4, minutes: false });
    expect(
      read(...FROM, '--only', 'vaults', '--rate', '0.5', '--minutes', '--start', '2026-01-01'),
    ).toMatchObject({
      kinds: ['vault'],
      requestsPerSecond: 0.5,
      minutes: true,
      start: new Date('2026-01-01'),
    });
  });

  it.each([
    '',
    '--from ftp://api.example',
    '--from file:///etc/passwd',
    '--from https://api.example/?key=1',
    '--from https://half%:coded@api.example',
    `${FROM.join(' ')} --rate 0`,
    `${FROM.join(' ')} --rate many`,
    `${FROM.join(' ')} --only tokens`,
    `${FROM.join(' ')} --start yesterday`,
    `${FROM.join(' ')} --start 2026-02-02 --end 2026-02-01`,
    `${FROM.join(' ')} more`,
    `${FROM.join(' ')} --segment a/b`,
  ])('are rejected: %s', (line) => {
    expect(read(...line.split(' ').filter((word) => word !== ''))).toBeNull();
  });
});

describe('rate limit headers', () => {
  const now = Date.UTC(2026, 0, 1);

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30_000],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('%j', (headers, ms) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), now)).toBe(ms);
  });

  it.each([
    [{ ratelimit: '"anyone";r=0;t=30' }, 30_000],
    [{ ratelimit: 'limit=100, remaining=0, reset=12' }, 12_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '3' }, 3_000],
    [{ ratelimit: '"anyone";r=10;t=30' }, 0],
    [{}, 0],
  ])('%j', (headers, ms) => {
    expect(exhaustedMs(new Headers(headers as Record<string, string>))).toBe(ms);
  });
});

it.each([
  [0.1, '0.1'],
  [1e-7, '0.0000001'],
  [-2.5e-9, '-0.0000000025'],
  [1e21, '1000000000000000000000'],
  [1.2345e25, '12345000000000000000000000'],
  [0, '0'],
  [-0, '0'],
])('the JSON number %d is %s', (value, text) => {
  expect(toDecimalString(exactNumber(value))).toBe(text);
});
