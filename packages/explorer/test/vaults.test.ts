import { type ErrorCode, SluiceError } from '@sluice/client';
import { describe, expect, it } from 'vitest';
import { allocationRows } from '../src/pages/vault/allocation.ts';
import { apySeries, valueSeries } from '../src/pages/vault/history-series.ts';
import { depositTokens, isChosen, summaryOf } from '../src/pages/vaults/vault-list.ts';
import { absence, isHistoryStarting } from '../src/ui/absence.ts';
import { bandsOf, heightsOf } from '../src/ui/stack.ts';

const USDC = { id: 'usdc', symbol: 'USDC', mint: 'MintU' };
const SOL = { id: 'sol', symbol: 'SOL', mint: 'MintS' };

const apyOf = (base: string, farmRewards: string, total: string) => ({
  total,
  base,
  farmRewards,
  reserveRewards: '0',
  incentives: '0',
});

describe('the summary of vaults', () => {
  it('weights the APY by value, exactly', () => {
    const vaults = [
      { totalValue: { amount: '1', usd: '300.3' }, currentApy: apyOf('0.1', '0', '0.1') },
      { totalValue: { amount: '1', usd: '99.7' }, currentApy: apyOf('0.02', '0.02', '0.04') },
    ];
    // (30.03 + 3.988) / 400
    expect(summaryOf(vaults)).toEqual({ totalUsd: '400', unvalued: 0, meanApy: '0.085045' });
  });

  it('leaves out what is unknown, and counts it', () => {
    const vaults = [
      { totalValue: null, currentApy: apyOf('0.9', '0', '0.9') },
      { totalValue: { amount: '5', usd: null }, currentApy: null },
      { totalValue: { amount: '5', usd: '10' }, currentApy: null },
      { totalValue: { amount: '5', usd: '30' }, currentApy: apyOf('0.05', '0', '0.05') },
    ];
    expect(summaryOf(vaults)).toEqual({ totalUsd: '40', unvalued: 2, meanApy: '0.05' });
    expect(summaryOf([]).meanApy).toBeNull();
  });
});

describe('the choice of vaults', () => {
  const plain = { token: USDC, currentApy: apyOf('0.1', '0', '0.1') };
  const rewarded = { token: SOL, currentApy: apyOf('0.1', '0.01', '0.11') };
  const unread = { token: SOL, currentApy: null };

  it.each([
    [{ mint: null, rewarded: false }, [plain, rewarded, unread]],
    [{ mint: 'MintS', rewarded: false }, [rewarded, unread]],
    [{ mint: null, rewarded: true }, [rewarded]],
    [{ mint: 'MintU', rewarded: true }, []],
  ])('keeps the vaults of %j', (choice, kept) => {
    expect([plain, rewarded, unread].filter((vault) => isChosen(vault, choice))).toEqual(kept);
  });

  it('offers each token once, by ticker', () => {
    const twin = { id: 'twin', symbol: 'USDC', mint: 'MintV' };
    const offered = depositTokens([{ token: USDC }, { token: SOL }, { token: USDC }, { token: twin }]);
    expect(offered.map(({ mint }) => mint)).toEqual(['MintS', 'MintU', 'MintV']);
  });
});

describe('the allocation of a vault', () => {
  const none = '18446744073709551615';
  const amount = (whole: string) => ({ amount: whole, usd: whole, baseUnits: `${whole}000000` });
  const part = (reserveAddress: string, targetShare: string, actualShare: string | null) => ({
    reserveAddress,
    targetShare,
    actualShare,
    cap: { amount: '1000', baseUnits: '1000000000' },
    invested: amount('5'),
    reserve: null,
  });
  const vault = (actual: string | null) => ({
    token: { ...USDC, name: 'USD Coin', decimals: 6 },
    idle: amount('2'),
    unallocatedShare: '0.2',
    state: { unallocatedTokensCap: none },
    allocations: [part('A', '0.6', actual), part('B', '0.3', '0.25')],
  });

  it('ends with the idle part, whose target is what the weights leave', () => {
    const rows = allocationRows(vault('0.55'));
    expect(rows.map(({ reserveAddress, target, actual }) => [reserveAddress, target, actual])).toEqual([
      ['A', '0.6', '0.55'],
      ['B', '0.3', '0.25'],
      [null, '0.1', '0.2'],
    ]);
    expect(rows[2]).toMatchObject({
      amount: amount('2'),
      cap: { baseUnits: none, amount: '18446744073709.551615' },
    });
  });
});

describe('the series of a vault', () => {
  const points = [
    {
      apy: apyOf('0.05', '0.01', '0.06'),
      totalValue: '10',
      totalValueUsd: null,
      tokensPerShare: '1',
      sharePriceUsd: null,
    },
    {
      apy: apyOf('0.04', '0', '0.04'),
      totalValue: '20',
      totalValueUsd: '21.5',
      tokensPerShare: '1.1',
      sharePriceUsd: '1.2',
    },
  ];

  it('has a band for each source that paid', () => {
    expect(apySeries(points)).toEqual([
      { label: 'Interest', color: '--series-1', stacked: true, values: [0.05, 0.04] },
      { label: 'Farm', color: '--series-2', stacked: true, values: [0.01, 0] },
    ]);
  });

  it('shows a gap where no price was known', () => {
    expect(valueSeries(points, 'usd')[0]?.values).toEqual([null, 21.5]);
    expect(valueSeries(points, 'token')[0]?.values).toEqual([10, 20]);
  });
});

describe('stacked series', () => {
  const series = [
    { stacked: true, values: [1, 2, null] },
    { values: [9, 9, 9] },
    { stacked: true, values: [10, null, 30] },
    { stacked: true, values: [100, 200, 300] },
  ];

  it('stand on those before them; an unknown part has no height', () => {
    expect(heightsOf(series)).toEqual([
      [1, 2, null],
      [9, 9, 9],
      [11, null, null],
      [111, null, null],
    ]);
  });

  it('are painted down to their neighbour', () => {
    expect(bandsOf(series)).toEqual([
      [2, 0],
      [3, 2],
    ]);
  });
});

describe('the reason of a null', () => {
  const error = (path: (string | number)[], code: ErrorCode = 'ACCOUNT_NOT_FOUND') =>
    new SluiceError(`Failed at ${path.join('.')}.`, { code, retryable: false, path });

  it.each([
    ['at the field', ['nodes', 0, 'farm'], 'Failed at nodes.0.farm.'],
    ['below it', ['nodes', 0], 'Failed at nodes.0.farm.'],
    ['above it', ['nodes', 0, 'farm', 'rewards', 3, 'token'], 'Failed at nodes.0.farm.'],
    ['and none of another field', ['nodes', 0, 'holders'], 'Never counted'],
    ['and none of another row', ['nodes', 1, 'farm'], 'Never counted'],
  ])('is an error %s', (_where, path, message) => {
    expect(absence([error(['nodes', 0, 'farm'])], path, 'Never counted')).toBe(message);
  });

  it('is not an error of the whole request', () => {
    expect(absence([error([])], ['vault'], 'Never counted')).toBe('Never counted');
  });

  it('can pass by itself while history is starting', () => {
    expect(
      isHistoryStarting([error(['vault']), error(['vault', 'metricsHistory'], 'HISTORY_STARTING')]),
    ).toBe(true);
    expect(isHistoryStarting([error(['vault'])])).toBe(false);
  });
});
