import { parseDecimal } from '@sluice/protocol/numeric/decimal';
import { describe, expect, it } from 'vitest';
import { apyBreakdown } from '../../src/domain/apy.ts';
import { allocationVolume as volumeSteps } from '../../src/domain/pnl/allocation-volume.ts';
import {
  type PositionPoint,
  positionSeries as positionSteps,
  type VaultSample,
} from '../../src/domain/pnl/position-series.ts';
import { interpolate } from '../../src/domain/pnl/series.ts';
import { sharePriceFrom } from '../../src/domain/pnl/share-price.ts';
import { type WalletPoint, walletSeries as walletSteps } from '../../src/domain/pnl/wallet-series.ts';
import { drained } from '../support/domain/drained.ts';
import {
  DAY,
  denominatedText,
  marketOf,
  type Steps,
  steps,
  text,
  units,
  vaultEvent,
} from '../support/domain/pnl-histories.ts';

const allocationVolume = drained(volumeSteps);
const positionSeries = drained(positionSteps);
const walletSeries = drained(walletSteps);

const sample = (time: number, apy = '0.05'): VaultSample => ({
  time,
  apy: apyBreakdown(parseDecimal(apy)),
  theoreticalApy: parseDecimal('0.04'),
  interestPerSecond: parseDecimal('1'),
  sharesIssued: units('1000'),
});

const SHARES: Steps = [
  [0, '1'],
  [100, '1.1'],
  [200, '1.2'],
  [300, '1.3'],
];
const EVENTS = [vaultEvent('deposit', 0, '100', '100'), vaultEvent('withdraw', 200, '50', '60')];
const SAMPLES = [sample(100), sample(200), sample(300)];

const row = ({ time, shares, value, apy, interest, interestPerSecond }: PositionPoint) => ({
  time,
  shares: text(shares),
  value: denominatedText(value),
  apy: text(apy?.total ?? null),
  interest: denominatedText(interest),
  perSecond: interestPerSecond === null ? null : denominatedText(interestPerSecond),
});

describe('a position over time', () => {
  const market = marketOf(
    SHARES,
    [
      [100, '2'],
      [200, '3'],
    ],
    [[100, '10']],
  );

  it('earns the growth of its shares, valued at the time of accrual', () => {
    expect(positionSeries(EVENTS, SAMPLES, market, [100, 200, 300]).map(row)).toEqual([
      {
        time: 100,
        shares: '100',
        value: ['220', '22', '110'],
        apy: '0.05',
        interest: ['20', '2', '10'],
        perSecond: ['0.2', '0.02', '0.1'],
      },
      {
        time: 200,
        shares: '50',
        value: ['180', '18', '60'],
        apy: '0.05',
        interest: ['50', '5', '20'],
        perSecond: ['0.15', '0.015', '0.05'],
      },
      {
        time: 300,
        shares: '50',
        value: ['195', '19.5', '65'],
        apy: '0.05',
        interest: ['65', '6.5', '25'],
        perSecond: ['0.15', '0.015', '0.05'],
      },
    ]);
  });

  it('has the yields of the vault at its last sample', () => {
    const paid = apyBreakdown(parseDecimal('0.03'), {
      farmRewards: parseDecimal('0.01'),
      reserveRewards: parseDecimal('0.004'),
      incentives: parseDecimal('0.002'),
    });
    const samples = [sample(100), { ...sample(200), apy: paid, theoreticalApy: parseDecimal('0.035') }];
    const [early, , late] = positionSeries(EVENTS, samples, market, [50, 100, 300]);
    expect([early?.apy, early?.theoreticalApy]).toEqual([null, null]);
    const { total, base, farmRewards, reserveRewards, incentives } = late?.apy ?? {};
    const parts = [total, base, farmRewards, reserveRewards, incentives, late?.theoreticalApy];
    expect(parts.map((each) => text(each ?? null))).toEqual([
      '0.046',
      '0.03',
      '0.01',
      '0.004',
      '0.002',
      '0.035',
    ]);
  });

  it('does not depend on the requested times', () => {
    const every = positionSeries(EVENTS, SAMPLES, market, [50, 100, 150, 200, 250, 300]).map(row);
    expect(positionSeries(EVENTS, SAMPLES, market, [300]).map(row)).toEqual(every.slice(-1));
  });

  it('has no value of interest until the first price', () => {
    const later = marketOf(SHARES, [[200, '3']], [[200, '10']]);
    const points = positionSeries(EVENTS, SAMPLES, later, [100, 200]).map(row);
    expect(points.map(({ interest }) => interest)).toEqual([
      [null, null, '10'],
      ['60', '6', '20'],
    ]);
    expect(points[0]).toMatchObject({ value: [null, null, '110'], perSecond: [null, null, '0.1'] });
  });

  it('is zero before its first event, and has no rates before recording began', () => {
    const [before, early] = positionSeries(EVENTS.slice(0, 1), SAMPLES, market, [-5, 50]).map(row);
    expect(before).toMatchObject({ shares: '0', value: ['0', '0', '0'], interest: ['0', '0', '0'] });
    expect(early).toMatchObject({ shares: '100', apy: null, perSecond: null });
  });
});

describe('a wallet over time', () => {
  const market = marketOf(SHARES, [[0, '2']], [[0, '10']]);
  const series = (apy: string, shares: string, tokens = market) =>
    positionSeries([vaultEvent('deposit', 0, shares, shares)], [sample(0, apy)], tokens, [100]);
  const asText = ({ value, weightedApy, interest, interestPerSecond }: WalletPoint) => ({
    value: [text(value.usd), text(value.sol)],
    apy: text(weightedApy),
    interest: [text(interest.usd), text(interest.sol)],
    perSecond: [text(interestPerSecond.usd), text(interestPerSecond.sol)],
  });

  it('is the sum of its positions, with an APY weighted by USD value', () => {
    // 300 shares of 1.1 tokens at 2 USD are 660 USD, 100 shares 220 USD.
    expect(walletSeries([series('0.04', '300'), series('0.08', '100')]).map(asText)).toEqual([
      { value: ['880', '88'], apy: '0.05', interest: ['80', '8'], perSecond: ['0.8', '0.08'] },
    ]);
  });

  it('is unknown when a part of it is', () => {
    const unpriced = marketOf(SHARES, [], []);
    expect(walletSeries([series('0.04', '300'), series('0.08', '100', unpriced)]).map(asText)).toEqual([
      { value: [null, null], apy: null, interest: [null, null], perSecond: [null, null] },
    ]);
  });

  it('ignores closed positions, and is empty without positions', () => {
    const unpriced = marketOf([[0, '1']], [], []);
    const left = positionSeries([], [], unpriced, [100]);
    expect(walletSeries([series('0.04', '300'), left]).map(asText)[0]).toMatchObject({
      value: ['660', '66'],
      apy: '0.04',
    });
    expect(walletSeries([left]).map(asText)[0]).toMatchObject({ value: ['0', '0'], apy: '0' });
    expect(walletSeries([])).toEqual([]);
  });
});

describe('prices over time', () => {
  const samples = [
    { time: 10, value: parseDecimal('1') },
    { time: 20, value: parseDecimal('3') },
  ];

  it('can be interpolated linearly', () => {
    const [first, second] = samples;
    if (first === undefined || second === undefined) throw new Error('two samples');
    const price = interpolate([first, second]);
    expect([0, 10, 15, 20, 99].map((time) => text(price(time)))).toEqual(['1', '1', '2', '3', '3']);
  });

  it('of shares come from deposits before recording began, then from samples', () => {
    const deposits = [vaultEvent('deposit', 5, '10', '8'), vaultEvent('deposit', 15, '10', '99')];
    const price = sharePriceFrom(samples, deposits);
    expect([0, 5, 10, 15].map((time) => text(price?.(time) ?? null))).toEqual(['0.8', '0.8', '1', '2']);
    expect(sharePriceFrom([], [])).toBeNull();
  });
});

describe('allocation volume', () => {
  const moved = (time: number, tokens: bigint) => ({
    ...vaultEvent('invest', time, '0', '0'),
    reserveTokens: tokens,
  });

  it('sums daily movements between the vault and its reserves in both directions', () => {
    const events = [
      vaultEvent('deposit', 5, '100', '100'),
      moved(10, units('40')),
      { ...vaultEvent('withdraw', 20, '9', '9'), reserveTokens: -units('5') },
      moved(2 * DAY, units('7')),
      moved(4 * DAY, units('1')),
    ];
    const price = steps([
      [0, '2'],
      [DAY, '3'],
    ]);
    const rows = allocationVolume(events, 6, price, { start: 0, end: 3 * DAY });
    expect(rows.map(({ day, volumeUsd }) => [day / DAY, text(volumeUsd)])).toEqual([
      [0, '90'],
      [1, '0'],
      [2, '21'],
    ]);
  });

  it('is unknown on a day without a price', () => {
    const price = steps([[DAY, '3']]);
    const rows = allocationVolume([moved(10, 1n), moved(DAY, 1_000_000n)], 6, price, {
      start: 0,
      end: 2 * DAY,
    });
    expect(rows.map(({ volumeUsd }) => text(volumeUsd))).toEqual([null, '3']);
  });
});
