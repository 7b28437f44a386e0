import { describe, expect, it } from 'vitest';
import {
  NO_ADDRESS,
  type Reader,
  readAddress,
  readAddressOrNone,
  readAmount,
  readBps,
  readCap,
  readDays,
  readMultiple,
  readShares,
  readText,
  readTokens,
  readWhole,
} from '../src/act/tasks/read.ts';

const USDC = { symbol: 'USDC', decimals: 6 };
const ADDRESS = 'So11111111111111111111111111111111111111112';
const meaningOf = (reader: Reader<unknown>, text: string): unknown => {
  const read = reader(text);
  return read.kind === 'value' ? read.value : read.kind;
};

describe('what is typed into a field', () => {
  it.each<[string, Reader<unknown>, string, unknown]>([
    ['tokens', readTokens(USDC), ' 12.50 ', '12.5'],
    ['no tokens', readTokens(USDC), '0', '0'],
    ['an unfinished amount', readTokens(USDC), '.5', '0.5'],
    ['an amount', readAmount(USDC, false), '7', { tokens: '7' }],
    ['everything', readAmount(USDC, true), ' ALL ', { all: 'ALL' }],
    ['shares', readShares(USDC), '1.5', { shares: '1.5' }],
    ['all shares', readShares(USDC), 'all', { all: 'ALL' }],
    ['a cap', readCap(USDC), '250000', { tokens: '250000' }],
    ['a cap of nothing', readCap(USDC), '0', { tokens: '0' }],
    ['no cap', readCap(USDC), 'None', { none: 'NONE' }],
    ['a weight', readWhole(10n), '010', '10'],
    ['percent', readBps(10_000n), '12.5', 1250],
    ['no percent', readBps(10_000n), '0', 0],
    ['days', readDays, '30', '2592000'],
    ['an address', readAddress, ` ${ADDRESS} `, ADDRESS],
    ['no address', readAddressOrNone, 'none', NO_ADDRESS],
    ['a name', readText(40), ' Harbour ', 'Harbour'],
  ])('is %s', (_what, reader, text, value) => {
    expect(meaningOf(reader, text)).toEqual(value);
  });

  it('is a multiple above 1', () => {
    expect(String(meaningOf(readMultiple, '2.5'))).toBe('2.5');
    expect(meaningOf(readMultiple, '1')).toBe('mistake');
  });

  it.each<[string, Reader<unknown>, string]>([
    ['a sign', readTokens(USDC), '-1'],
    ['more places than the token has', readTokens(USDC), '0.0000001'],
    ['words', readTokens(USDC), 'all'],
    ['an amount of nothing', readAmount(USDC, true), '0'],
    ['everything where that is not allowed', readAmount(USDC, false), 'all'],
    ['a number above the most', readWhole(10n), '11'],
    ['a fraction of a weight', readWhole(10n), '1.5'],
    ['more than all percent', readBps(10_000n), '100.01'],
    ['a part of a basis point', readBps(10_000n), '1.005'],
    ['half an address', readAddress, ADDRESS.slice(0, 20)],
    ['no address where one is needed', readAddress, 'none'],
    ['a name of 41 bytes', readText(40), `${'ä'.repeat(20)}b`],
  ])('is a mistake: %s', (_what, reader, text) => {
    expect(meaningOf(reader, text)).toBe('mistake');
  });

  it.each<[string, Reader<unknown>]>([
    ['an amount', readAmount(USDC, true)],
    ['a cap', readCap(USDC)],
    ['percent', readBps(1n)],
    ['days', readDays],
    ['an address', readAddressOrNone],
    ['a name', readText(1)],
    ['a multiple', readMultiple],
  ])('can be nothing yet: %s', (_what, reader) => {
    expect(meaningOf(reader, '  ')).toBe('empty');
  });
});
