import { describe, expect, it } from 'vitest';
import {
  ALL_TOKENS,
  endWords,
  greatest,
  heatOf,
  partOf,
  rangeWords,
  shocksOf,
  shockTokens,
} from '../src/pages/market/risk-shocks.ts';

const reserve = (address: string, symbol: string, usd: string | null, liquidationLtv: string) => ({
  address,
  token: { mint: `mint of ${symbol}`, symbol },
  price: usd === null ? null : { usd },
  risk: { liquidationLtv },
});

const TOKENS = shockTokens({
  reserves: [
    reserve('a', 'SOL', '150.25', '0.8'),
    reserve('b', 'USDC', '0.9998', '0.9'),
    reserve('c', 'DEBT', '3', '0'),
    reserve('d', 'LST', '170', '0'),
    reserve('e', 'SOL', '150.25', '0.7'),
    reserve('f', 'NEW', null, '0.5'),
  ],
  elevationGroups: [{ collateralReserves: [{ address: 'd' }] }],
});

describe('prices that can fall', () => {
  it('are those of tokens that back loans, each once', () => {
    expect(TOKENS.map(({ symbol }) => symbol)).toEqual(['SOL', 'USDC', 'LST', 'NEW']);
  });

  it('fall together, except those near a dollar', () => {
    const shocks = shocksOf(TOKENS, ALL_TOKENS);
    expect(shocks.map(({ label }) => label)).toEqual(['-5%', '-10%', '-20%', '-30%', '-50%']);
    expect(shocks[2]?.prices).toEqual([
      { mint: 'mint of SOL', changePct: '-20' },
      { mint: 'mint of LST', changePct: '-20' },
      { mint: 'mint of NEW', changePct: '-20' },
    ]);
  });

  it('fall alone when a token is chosen, also one near a dollar', () => {
    expect(shocksOf(TOKENS, 'mint of USDC')[4]).toEqual({
      label: '-50%',
      prices: [{ mint: 'mint of USDC', changePct: '-50' }],
    });
  });
});

describe('a heat map', () => {
  it('is as deep as the part of the largest value, and never deeper', () => {
    expect([heatOf('25', '100'), heatOf('250', '100'), heatOf('0', '0')]).toEqual([0.25, 1, 0]);
  });

  it('takes the largest value by its size, not by its text', () => {
    expect([greatest(['9', '10.5', '2']), greatest([])]).toEqual(['10.5', '0']);
  });
});

describe('parts of a count', () => {
  it('are cut, and zero of nothing', () => {
    expect([partOf(2, 3), partOf(3, 3), partOf(0, 0)]).toEqual(['0.6666', '1', '0']);
  });
});

describe('ranges of health', () => {
  it.each([
    [null, '1', 'Below 1'],
    ['1', '1.05', '1 to 1.05'],
    ['3', null, '3 and above'],
    [null, null, 'Any'],
  ])('from %s to %s are %s', (from, to, words) => {
    expect(rangeWords({ from, to })).toBe(words);
  });
});

describe('the end of a debt', () => {
  it.each([
    [null, 0, 'Ended'],
    [0, 1, 'Within a day'],
    [0, 3, 'Within 3 days'],
    [7, 30, 'In 7 to 30 days'],
    [90, null, 'In more than 90 days'],
  ])('%s to %s days is said as "%s"', (fromDays, toDays, words) => {
    expect(endWords({ fromDays, toDays })).toBe(words);
  });
});
