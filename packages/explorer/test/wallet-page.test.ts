import { Decimal } from '@sluice/client';
import { describe, expect, it } from 'vitest';
import { alertInput, WALLET_SUBJECT } from '../src/pages/wallet/alerts/alert-input.ts';
import { pictureOf, placeOf } from '../src/pages/wallet/health-geometry.ts';
import { incomeAsked, incomeBuckets } from '../src/pages/wallet/income.ts';
import { cheaperDebt, type OtherReserve, type Subject } from '../src/pages/wallet/task-choice.ts';

const distances = (...values: readonly string[]) => values.map((value) => Decimal.of(value));

describe('the picture of all loans', () => {
  it('has names beside the field where it is wide, above the lines on a phone', () => {
    expect(pictureOf(740, distances('0.4')).namesAbove).toBe(false);
    expect(pictureOf(326, distances('0.4')).namesAbove).toBe(true);
  });

  it('reaches 60 %, or as far as the safest loan', () => {
    expect(pictureOf(740, distances('0.2')).most).toBeCloseTo(0.6);
    expect(pictureOf(740, distances('0.2', '0.72')).most).toBeCloseTo(0.8);
    expect(pictureOf(740, distances('0.99')).most).toBe(1);
  });

  it('places a loan by its distance, and one that can be liquidated at the edge', () => {
    const picture = pictureOf(740, distances('0.3'));
    expect(placeOf(picture, Decimal.of('0.3'))).toBeCloseTo((picture.left + picture.right) / 2);
    expect(placeOf(picture, Decimal.of('-0.2'))).toBe(picture.left);
  });
});

/** Wednesday, 18 November 2026. */
const NOW = Date.parse('2026-11-18T12:00:00Z');
const period = (start: string, usd: string | null) => ({
  start: `${start}T00:00:00.000Z`,
  end: new Date(Date.parse(`${start}T00:00:00Z`) + 86_400_000).toISOString(),
  total: { interestEarned: { usd } },
});

describe('income', () => {
  it('is asked for in days, for twelve weeks that begin on Mondays', () => {
    expect(incomeAsked('week', NOW)).toEqual({ by: 'DAY', start: '2026-08-31T00:00:00.000Z' });
    expect(incomeAsked('month', NOW)).toEqual({ by: 'MONTH', start: '2025-12-01T00:00:00.000Z' });
  });

  it('is added up by week, without the empty weeks before it began', () => {
    const days = [
      period('2026-11-01', '0'),
      period('2026-11-08', '1.5'),
      period('2026-11-09', '2'),
      period('2026-11-15', '0.25'),
      period('2026-11-16', '3'),
    ];
    expect(incomeBuckets(days, 'week', NOW)).toEqual([
      { start: Date.parse('2026-11-02T00:00:00Z') / 1_000, usd: '1.5', running: false },
      { start: Date.parse('2026-11-09T00:00:00Z') / 1_000, usd: '2.25', running: false },
      { start: Date.parse('2026-11-16T00:00:00Z') / 1_000, usd: '3', running: true },
    ]);
  });

  it('is unknown in a week with an unknown day', () => {
    const [week] = incomeBuckets([period('2026-11-09', '1'), period('2026-11-10', null)], 'week', NOW);
    expect(week?.usd).toBeNull();
  });
});

const reserve = (symbol: string, over: Partial<OtherReserve> = {}): OtherReserve => ({
  address: `reserve of ${symbol}`,
  status: 'ACTIVE',
  token: { mint: `mint of ${symbol}`, symbol },
  price: { usd: '1' },
  borrowApy: { total: '0.05' },
  borrowable: { amount: '20000' },
  ...over,
});

describe('a cheaper debt', () => {
  const owed = {
    loan: {},
    debt: {
      amount: { amount: '10000', usd: '10000' },
      reserve: { address: 'reserve of USDC', price: { usd: '1' }, borrowApy: { total: '0.08' } },
    },
  } as unknown as Subject;

  it('is the cheapest of tokens of the same price, with what it saves in a year', () => {
    const cheaper = cheaperDebt(owed, [
      reserve('USDC', { borrowApy: { total: '0.01' } }),
      reserve('HUSD', { borrowApy: { total: '0.06' } }),
      reserve('USDT', { borrowApy: { total: '0.055' } }),
    ]);
    expect(cheaper).toMatchObject({ symbol: 'USDT', apy: '0.055' });
    expect(cheaper?.saved.toString()).toBe('250');
  });

  it.each([
    ['of another price', { price: { usd: '160' } }],
    ['without enough to borrow', { borrowable: { amount: '9000' } }],
    ['that is closed', { status: 'OBSOLETE' }],
    ['that costs more', { borrowApy: { total: '0.09' } }],
    ['that saves less than a dollar', { borrowApy: { total: '0.07999' } }],
  ])('is none %s', (_, over) => {
    expect(cheaperDebt(owed, [reserve('OTHER', over)])).toBeNull();
  });
});

describe('a typed alert', () => {
  const typed = { subject: WALLET_SUBJECT, below: '15', url: 'https://hooks.example/risk' };

  it('watches the wallet, or a vault', () => {
    expect(alertInput(typed, 'me')).toEqual({
      metric: 'WALLET_LIQUIDATION_DISTANCE',
      subject: 'me',
      below: '0.15',
      url: 'https://hooks.example/risk',
    });
    expect(alertInput({ ...typed, subject: 'a vault', below: '8.5 %' }, 'me')).toMatchObject({
      metric: 'VAULT_APY',
      subject: 'a vault',
      below: '0.085',
    });
  });

  it.each([{ below: '0' }, { below: '100' }, { below: 'x' }, { url: 'hooks.example' }, { url: '' }])(
    'makes no sense with %j',
    (over) => {
      expect(alertInput({ ...typed, ...over }, 'me')).toBeNull();
    },
  );
});
