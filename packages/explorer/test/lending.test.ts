import { describe, expect, it } from 'vitest';
import { ageBetween } from '../src/lending/age.ts';
import { capOf } from '../src/lending/cap.ts';
import { pixelsOf, secondsOf } from '../src/lending/columns.ts';
import { listedRows } from '../src/lending/listed.ts';
import { tvlUsd } from '../src/lending/tvl.ts';
import { groupLimits } from '../src/pages/market/group-limits.ts';
import { listedReserves, sharedTickers } from '../src/pages/market/reserve-list.ts';
import { loansOf, sumUsd } from '../src/pages/markets/market-list.ts';

describe('limits', () => {
  it('are filled by exact base units, cut to a hundredth of a percent', () => {
    expect(capOf('2', '3')).toEqual({ kind: 'limited', fill: '0.6666' });
    expect(capOf('9007199254740993', '9007199254740992')).toEqual({ kind: 'limited', fill: '1.0000' });
    expect(capOf('5', '100000')).toEqual({ kind: 'limited', fill: '0.0000' });
    expect(capOf('250', '100')).toEqual({ kind: 'limited', fill: '2.5000' });
  });

  it('of zero are closed, and those that no supply can reach are none', () => {
    expect(capOf('0', '0')).toEqual({ kind: 'closed' });
    expect(capOf('7', '18446744073709551615')).toEqual({ kind: 'none' });
    expect(capOf('7', null)).toEqual({ kind: 'none' });
  });

  it('of a group are those of its number and its collaterals', () => {
    const amount = (units: string) => ({ amount: units, baseUnits: units, usd: null });
    const reserve = (address: string) => ({ id: address, address, token: { id: address, symbol: address } });
    const cap = (elevationGroup: number, address: string, units: string) => ({
      elevationGroup,
      currentTotal: amount(units),
      capacity: null,
      collateralReserve: { id: address, address },
    });
    const limits = groupLimits({
      number: 2,
      collateralReserves: [reserve('mSOL'), reserve('hbSOL')],
      debtReserve: {
        ...reserve('SOL'),
        borrowCaps: { againstCollateral: [cap(1, 'mSOL', '1'), cap(2, 'mSOL', '2'), cap(1, 'hbSOL', '3')] },
      },
    });
    expect(
      limits.map(({ collateral, cap: found }) => [collateral.address, found?.currentTotal.amount]),
    ).toEqual([
      ['mSOL', '2'],
      ['hbSOL', undefined],
    ]);
  });
});

describe('lists', () => {
  const reserve = (symbol: string, status: string) => ({ status, token: { symbol } });

  it('leave out reserves that are hidden or closed', () => {
    const reserves = [reserve('SOL', 'ACTIVE'), reserve('KELP', 'OBSOLETE'), reserve('BUOY', 'HIDDEN')];
    expect(listedReserves(reserves).map(({ token }) => token.symbol)).toEqual(['SOL']);
  });

  it('name the tickers that several reserves share', () => {
    const reserves = ['USDC', 'SOL', 'USDC', 'USDC'].map((symbol) => reserve(symbol, 'ACTIVE'));
    expect([...sharedTickers(reserves)]).toEqual(['USDC']);
  });

  it('keep the errors of a page with its rows, whose paths start anew', () => {
    const rows = listedRows(
      [
        { data: { loans: { nodes: ['a', 'b'] } }, errors: [] },
        { data: { loans: { nodes: ['c'] } }, errors: [] },
      ],
      ({ loans }) => loans.nodes,
      ['loans', 'nodes'],
    );
    expect(rows.map(({ node, path }) => [node, path])).toEqual([
      ['a', ['loans', 'nodes', 0]],
      ['b', ['loans', 'nodes', 1]],
      ['c', ['loans', 'nodes', 0]],
    ]);
  });
});

describe('sums of markets', () => {
  it('are exact and count what is unknown', () => {
    expect(sumUsd(['0.1', null, '0.2', '9007199254740993'])).toEqual({
      usd: '9007199254740993.3',
      unknown: 1,
    });
    expect(sumUsd([])).toEqual({ usd: '0', unknown: 0 });
  });

  it('have a TVL of what is not lent, unknown when a part is', () => {
    expect(tvlUsd({ suppliedUsd: '100.25', borrowedUsd: '60.5' })).toBe('39.75');
    expect(tvlUsd({ suppliedUsd: '100.25', borrowedUsd: null })).toBeNull();
    expect(tvlUsd(null)).toBeNull();
  });

  it('take the number of loans from the newest point', () => {
    expect(loansOf({ metricsHistory: { points: [{ obligations: 3 }, { obligations: 4 }] } })).toBe(4);
    expect(loansOf({ metricsHistory: { points: [] } })).toBeNull();
    expect(loansOf({ metricsHistory: null })).toBeNull();
  });
});

describe('charts of history', () => {
  it('have seconds below and gaps for what is unknown', () => {
    const points = [
      { timestamp: '2026-01-01T00:00:00.000Z', priceUsd: '1.5' },
      { timestamp: '2026-01-01T01:00:00.000Z', priceUsd: null },
    ];
    expect(secondsOf(points)).toEqual([1_767_225_600, 1_767_229_200]);
    expect(pixelsOf(points, ({ priceUsd }) => priceUsd)).toEqual([1.5, null]);
  });
});

describe('age of a price', () => {
  const FROM = '2026-01-01T00:00:00.000Z';
  it.each([
    ['2026-01-01T00:00:59.900Z', '59 s'],
    ['2026-01-01T00:02:59.000Z', '2 min'],
    ['2026-01-01T05:00:00.000Z', '5 h'],
    ['2026-01-03T01:00:00.000Z', '2 d'],
    ['2025-12-31T23:59:58.000Z', '0 s'],
  ])('at %s is %s', (to, age) => {
    expect(ageBetween(FROM, to)).toBe(age);
  });
});
