import { Decimal } from '@sluice/client';
import { describe, expect, it } from 'vitest';
import type { HeatCell } from '../src/lending/heat/heat-documents.ts';
import { heatRows, shocksOf, shockTokens, unacceptedSymbols } from '../src/lending/heat/heat-shocks.ts';
import { fallingRow, filledRows, heatSteps, isUnmoved, levelOf } from '../src/lending/heat/heat-steps.ts';
import { loanNameByReserves } from '../src/lending/loan-name.ts';
import { fallsOf, riskOfMarket } from '../src/lending/market-falls.ts';
import { isOfKind } from '../src/pages/market/reserve-list.ts';
import { endWords, partOf, rangeWords } from '../src/pages/market/risk-words.ts';

const reserve = (
  address: string,
  symbol: string,
  usd: string | null,
  liquidationLtv: string,
  status = 'ACTIVE',
) => ({
  address,
  status,
  token: { mint: `mint of ${symbol}`, symbol },
  price: usd === null ? null : { usd },
  risk: { liquidationLtv },
});

const MARKET = {
  reserves: [
    reserve('a', 'SOL', '150.25', '0.8'),
    reserve('b', 'USDC', '0.9998', '0.9'),
    reserve('c', 'DEBT', '3', '0'),
    reserve('d', 'LST', '170', '0'),
    reserve('e', 'SOL', '150.25', '0.7'),
    reserve('f', 'NEW', null, '0.5'),
    reserve('g', 'OLD', '2', '0', 'OBSOLETE'),
  ],
  elevationGroups: [{ collateralReserves: [{ address: 'd' }] }],
};
const ROWS = heatRows(shockTokens(MARKET));

describe('the rows of the heat map', () => {
  it('are all tokens together, then those that back loans, each once', () => {
    expect(ROWS.map(({ name }) => name)).toEqual(['All but dollars', 'SOL', 'USDC', 'LST', 'NEW']);
  });

  it('move all tokens but those near a dollar in the first, and one alone in the others', () => {
    const shocks = shocksOf(ROWS);
    expect(shocks).toHaveLength(25);
    expect(shocks[2]).toEqual({
      label: 'All but dollars −20%',
      prices: ['SOL', 'LST', 'NEW'].map((symbol) => ({ mint: `mint of ${symbol}`, changePct: '-20' })),
    });
    expect(shocks[14]).toEqual({
      label: 'USDC −50%',
      prices: [{ mint: 'mint of USDC', changePct: '-50' }],
    });
  });

  it('never ask for more shocks than one call takes', () => {
    const tokens = Array.from({ length: 60 }, (_, i) => ({
      mint: `${i}`,
      symbol: `T${i}`,
      nearDollar: false,
    }));
    expect(shocksOf(heatRows(tokens))).toHaveLength(100);
  });

  it('leave out listed tokens that nothing accepts as collateral, by name', () => {
    expect(unacceptedSymbols(MARKET)).toEqual(['DEBT']);
  });
});

const cell = (debtUsd: string, badDebtUsd = '0'): HeatCell => ({
  label: null,
  debtUsd: '1000',
  loans: 9,
  atRisk: { loans: 1, debtUsd, badDebtUsd },
  unvalued: [],
});
const row = (...debts: string[]) => debts.map((debt) => cell(debt));

describe('the cells of the heat map', () => {
  const cells = [
    ...row('10', '20', '30', '40', '50'),
    ...row('10', '9', '8', '12', '15'),
    ...row('10', '10', '10', '10', '10'),
    ...row('10', '30', '60', '80', '90'),
    ...row('11', '12', '13', '14', '20'),
  ];
  const filled = filledRows(ROWS, cells, 'both');

  it('stay with their row when the rows that a deep fall hurts most come first', () => {
    expect(filled.map(({ name }) => name)).toEqual(['All but dollars', 'LST', 'NEW', 'SOL', 'USDC']);
    expect(filled[1]?.cells[2]?.atRisk.debtUsd).toBe('60');
  });

  it('name a row that falls from left to right, and rows that never move', () => {
    expect(fallingRow(filled, 'both')?.name).toBe('SOL');
    expect(filled.filter((each) => isUnmoved(each, cell('10'))).map(({ name }) => name)).toEqual(['USDC']);
  });

  it('are coloured in equal proportions from today to the largest, at round numbers', () => {
    const of = (value: number) => Decimal.of(String(value));
    const steps = heatSteps(of(117_600), [of(848_000), of(5)]);
    expect(steps.map(String)).toEqual(['160000', '250000', '400000', '600000']);
    const levels = [117_600, 117_601, 160_001, 300_000, 600_000, 600_001].map((value) =>
      levelOf(of(value), of(117_600), steps),
    );
    expect(levels).toEqual([0, 1, 2, 3, 4, 5]);
    expect(heatSteps(of(10), [of(10)])).toEqual([]);
  });
});

describe('markets at risk', () => {
  const market = (now: string, deep: string) => ({
    risk: {
      now: { debtUsd: '100000', atRisk: { loans: 1, debtUsd: now } },
      shocks: [
        { label: null, atRisk: { debtUsd: '0' } },
        { label: null, atRisk: { debtUsd: deep } },
      ],
    },
  });

  it.each([
    ['10', '5000', 'safe'],
    ['10.1', '5000', 'caution'],
    ['0', '5000.1', 'danger'],
  ])('with %s now and %s after the deep fall are %s', (now, deep, word) => {
    expect(riskOfMarket(market(now, deep))).toBe(word);
  });

  it('fall in all tokens but those near a dollar', () => {
    expect(fallsOf([MARKET])[1]?.prices.map(({ mint }) => mint)).toEqual(
      ['DEBT', 'LST', 'NEW', 'OLD', 'SOL'].map((symbol) => `mint of ${symbol}`),
    );
  });
});

describe('reserves', () => {
  const usdc = { token: { symbol: 'USDC', mint: 'u' }, price: { usd: '0.9999' } };
  const staked = { token: { symbol: 'jitoSOL', mint: 'j' }, price: { usd: '220' } };
  it('are dollars by price, SOL by ticker, and held by the wallet', () => {
    const kinds = (['all', 'dollars', 'sol', 'held'] as const).map((kind) =>
      [usdc, staked].map((one) => isOfKind(one, kind, new Set(['u']))),
    );
    expect(kinds).toEqual([
      [true, true],
      [true, false],
      [false, true],
      [true, false],
    ]);
  });
});

describe('loans', () => {
  const side = (symbol: string) => ({ reserveAddress: 'r', reserve: { token: { symbol } } });
  it('are named by what backs them and what they owe', () => {
    expect(loanNameByReserves([side('USDT'), side('EURK')], [side('tdSOL')])).toBe(
      'USDT and EURK, owing tdSOL',
    );
    expect(loanNameByReserves([], [side('SOL')])).toBe('No collateral, owing SOL');
  });
});

describe('parts of a count', () => {
  it('are cut, and zero of nothing', () => {
    expect([partOf(2, 3), partOf(3, 3), partOf(0, 0)]).toEqual(['0.6666', '1', '0']);
  });
});

describe('ranges', () => {
  it.each([
    [null, '1', 'Below 1'],
    ['1', '1.05', '1 to 1.05'],
    ['3', null, '3 and above'],
    [null, null, 'Any'],
  ])('of health from %s to %s are %s', (from, to, words) => {
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
