import { describe, expect, it } from 'vitest';
import { usdSum } from '../src/lending/usd-sum.ts';
import { alignedSeries, intervalOf, summedSeries, timeRangeOf } from '../src/pages/wallet/time-series.ts';
import type { ValueHistory } from '../src/pages/wallet/wallet-documents.ts';
import { profitSeries, valueSeries } from '../src/pages/wallet/wallet-series.ts';

const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
const point = (day: number, value: string | null) => ({ timestamp: at(day), value });

describe('a sum in USD', () => {
  it('is exact, and unknown when a part is', () => {
    expect(usdSum(['0.1', '0.2'])).toBe('0.3');
    expect(usdSum(['0.1', null])).toBeNull();
    expect(usdSum([])).toBe('0');
  });
});

describe('the sum of series', () => {
  it('counts a series as zero before its first point, and not after a gap', () => {
    const first = [point(1, '1'), point(2, '2'), point(3, '3'), point(4, '4')];
    const second = [point(2, '0.5'), point(4, '0.25')];
    expect(summedSeries([first, second])).toEqual([
      point(1, '1'),
      point(2, '2.5'),
      point(3, null),
      point(4, '4.25'),
    ]);
  });

  it('is unknown where a value is', () => {
    expect(summedSeries([[point(1, null)], [point(1, '1')]])).toEqual([point(1, null)]);
  });

  it('ignores a series without points', () => {
    expect(summedSeries([[], [point(1, '1')]])).toEqual([point(1, '1')]);
    expect(summedSeries([])).toEqual([]);
  });
});

describe('series on one axis', () => {
  it('have a gap where they have no point', () => {
    expect(alignedSeries([[point(2, '2.5')], [point(1, '1'), point(2, null)]])).toEqual({
      xs: [1767225600, 1767312000],
      columns: [
        [null, 2.5],
        [1, null],
      ],
    });
  });
});

describe('a range', () => {
  it('starts at a UTC midnight, so that the same query is asked all day', () => {
    const evening = Date.parse('2026-03-10T22:30:00Z');
    expect(timeRangeOf('D7', evening)).toEqual({ start: '2026-03-03T00:00:00.000Z' });
    expect(timeRangeOf('ALL', evening)).toBeNull();
  });

  it('has hours up to a week and days beyond', () => {
    expect(intervalOf('H24')).toBe('HOUR');
    expect(intervalOf('D7')).toBe('HOUR');
    expect(intervalOf('D30')).toBe('DAY');
    expect(intervalOf('ALL')).toBe('DAY');
  });
});

describe('the history of a wallet', () => {
  const VALUE: ValueHistory = {
    id: 'w',
    metricsHistory: {
      complete: true,
      points: [
        { timestamp: at(1), value: { usd: '10' }, interest: { usd: '0' } },
        { timestamp: at(2), value: { usd: '11' }, interest: { usd: '0.5' } },
      ],
    },
    borrowing: {
      nodes: [
        {
          id: 'o',
          metricsHistory: {
            complete: true,
            points: [{ timestamp: at(2), stats: { netAccountValueUsd: '-4' } }],
          },
        },
      ],
    },
  };

  it('adds vault positions and loans', () => {
    expect(valueSeries(VALUE)).toEqual({
      netValue: [point(1, '10'), point(2, '7')],
      vaults: [point(1, '10'), point(2, '11')],
      loans: [point(2, '-4')],
      interest: [point(1, '0'), point(2, '0.5')],
      complete: true,
    });
  });

  it('is empty and incomplete where nothing could be read', () => {
    expect(valueSeries({ id: 'w', metricsHistory: null, borrowing: null })).toEqual({
      netValue: [],
      vaults: [],
      loans: [],
      interest: [],
      complete: false,
    });
    const unread = { nodes: [{ id: 'o', metricsHistory: null }] };
    expect(valueSeries({ ...VALUE, borrowing: unread }).complete).toBe(false);
    expect(profitSeries({ id: 'w', earning: null })).toEqual({ profit: [], complete: false });
  });

  it('adds the profit of all positions at midnight, without the times of single buys', () => {
    const nodes = ['1', '2'].map((gain, index) => ({
      id: `p${index}`,
      pnlHistory: {
        complete: true,
        priced: true,
        points: [
          { timestamp: '2026-01-01T05:00:00.000Z', kind: 'BUY', pnl: { usd: '0' } } as const,
          { timestamp: at(2), kind: 'MARK_TO_MARKET', pnl: { usd: gain } } as const,
        ],
      },
    }));
    expect(profitSeries({ id: 'w', earning: { nodes } })).toEqual({
      profit: [point(2, '3')],
      complete: true,
    });
  });
});
