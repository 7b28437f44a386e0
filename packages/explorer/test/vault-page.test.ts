import { describe, expect, it } from 'vitest';
import { leavesNow, roomUntilCap, targetWords } from '../src/pages/vault/allocation.ts';
import { behindOf, type Grouping } from '../src/pages/vault/behind.ts';
import { placeSeries, realisedSeries } from '../src/pages/vault/history-series.ts';
import { movesOf } from '../src/pages/vault/moves.ts';
import { placeNames } from '../src/pages/vault/place-names.ts';
import type { VaultChange, VaultRisk } from '../src/pages/vault/vault-documents.ts';
import { axisTexts } from '../src/ui/axis-texts.ts';

const USDC = { symbol: 'USDC', mint: 'MintU' };
const SOL = { symbol: 'SOL', mint: 'MintS' };
const NO_CAP = '18446744073709551615';

const market = (name: string) => ({ id: name, name });
const place = (reserveAddress: string, name: string) => ({ reserveAddress, reserve: { market: { name } } });

describe('names of places', () => {
  it('leave out the word, and tell markets of one name apart', () => {
    const names = placeNames([
      place('6fFKaaaaaaaaa', 'Staking Market'),
      place('CGKsaaaaaaaaa', 'Staking Market'),
      place('Abcdaaaaaaaaa', 'Harbor Market'),
      place('Zyxwaaaaaaaaa', ''),
    ]);
    expect([...names.values()]).toEqual(['Staking 6fFK', 'Staking CGKs', 'Harbor', 'Zyxw…aaaa']);
  });
});

describe('what stands behind a vault', () => {
  const backing = (token: typeof USDC, share: string) => ({
    share,
    reserve: { id: token.mint, token: { id: token.mint, ...token } },
  });
  const exposure = (kind: 'IDLE' | 'LIQUIDITY' | 'COLLATERAL', token: typeof USDC, share: string) => ({
    kind,
    mint: token.mint,
    share,
    token: { id: token.mint, symbol: token.symbol },
  });
  // Half of A is lent, a quarter of that against USDC. All of B is lent, and half of what it is owed cannot be valued.
  const risk: VaultRisk = {
    exposures: [
      exposure('COLLATERAL', SOL, '0.375'),
      exposure('LIQUIDITY', USDC, '0.3'),
      { kind: 'UNKNOWN', mint: null, share: '0.15', token: null },
      exposure('IDLE', USDC, '0.1'),
      exposure('COLLATERAL', USDC, '0.075'),
    ],
    reserves: [
      {
        reserveAddress: 'A',
        share: '0.6',
        utilization: '0.5',
        debtUsd: '40',
        unsecuredUsd: '0',
        unvaluedLoans: 0,
        reserve: { id: 'a', borrowed: { usd: '41' }, market: market('Harbor Market') },
        backing: [backing(SOL, '0.75'), backing(USDC, '0.25')],
      },
      {
        reserveAddress: 'B',
        share: '0.3',
        utilization: '1.02',
        debtUsd: '50',
        unsecuredUsd: '0',
        unvaluedLoans: 3,
        reserve: { id: 'b', borrowed: { usd: '100' }, market: market('Tide Market') },
        backing: [backing(SOL, '1')],
      },
    ],
  };

  it.each<[Grouping, Record<string, string>]>([
    ['token', { 'Not lent': '0.4', SOL: '0.375', 'Lent, cannot be valued': '0.15', USDC: '0.075' }],
    [
      'kind',
      {
        'Not lent': '0.4',
        'Lent against other tokens': '0.375',
        'Lent, cannot be valued': '0.15',
        'Lent against USDC': '0.075',
      },
    ],
  ])('has the same numbers in the list and on the map by %s', (grouping, expected) => {
    const { groups, places } = behindOf(risk, USDC, grouping);
    expect(Object.fromEntries(groups.map(({ name, share }) => [name, share.toString()]))).toEqual(expected);
    for (const { key, color, share } of groups) {
      const cells = places.flatMap(({ cells }) => cells.filter((cell) => cell.key === key));
      expect(new Set(cells.map((cell) => cell.color))).toEqual(new Set([color]));
      expect(cells.reduce((sum, cell) => sum + Number(cell.share.toString()), 0)).toBeCloseTo(
        Number(share.toString()),
        12,
      );
    }
  });

  it('divides each place into what it has', () => {
    const { places } = behindOf(risk, USDC, 'token');
    expect(
      places.map(({ name, share, cells }) => [
        name,
        share.toString(),
        ...cells.map((cell) => `${cell.name} ${cell.share}`),
      ]),
    ).toEqual([
      ['Harbor', '0.6', 'Not lent 0.3', 'SOL 0.225', 'USDC 0.075'],
      ['Tide', '0.3', 'Lent, cannot be valued 0.15', 'SOL 0.15'],
      ['In the vault', '0.1', 'Not lent 0.1'],
    ]);
  });

  it('names six tokens, and the largest of the rest', () => {
    const many = Array.from({ length: 9 }, (_, index) =>
      exposure('COLLATERAL', { symbol: `T${index}`, mint: `M${index}` }, `0.${9 - index}`),
    );
    const { groups } = behindOf({ exposures: many, reserves: [] }, USDC, 'token');
    expect(groups.map(({ name }) => name)).toEqual(['T0', 'T1', 'T2', 'T3', 'T4', 'T5', 'Other tokens']);
    expect(groups.at(-1)).toMatchObject({
      color: '--series-7',
      detail: 'T6 30.0%, T7 20.0%, T8 10.0%',
    });
    expect(groups.at(-1)?.share.toString()).toBe('0.6');
  });
});

describe('room until a cap', () => {
  const money = (amount: string, usd: string | null = amount) => ({
    amount,
    usd,
    sol: null,
    token: { id: 'u', symbol: 'USDC' },
  });
  const allocation = (reserveAddress: string, targetShare: string, amount: string, baseUnits = '1') => ({
    reserveAddress,
    targetWeight: '1',
    targetShare,
    actualShare: targetShare,
    cap: { amount, baseUnits },
    collateralCap: null,
    invested: null,
    reserve: null,
  });
  const total = money('20', '40');

  it('is that of the reserve that is full first when deposits follow the weights', () => {
    // A is full when the vault has 100 / 0.25 = 400, B when it has 150 / 0.5 = 300.
    const allocations = [allocation('A', '0.25', '100'), allocation('B', '0.5', '150')];
    expect(roomUntilCap({ allocations, depositRoom: null, totalValue: total })).toEqual({
      amount: '280',
      usd: '560',
      reserveAddress: 'B',
    });
  });

  it('is that of the vault when it is less, none without caps, and never below zero', () => {
    const capped = [allocation('A', '0.25', '100')];
    const room = { depositRoom: { amount: '7', usd: '14' }, totalValue: total };
    expect(roomUntilCap({ allocations: capped, ...room })).toMatchObject({
      amount: '7',
      reserveAddress: null,
    });
    const open = [allocation('A', '0.25', '99', NO_CAP), allocation('B', '0', '5')];
    expect(roomUntilCap({ allocations: open, depositRoom: null, totalValue: total })).toBeNull();
    const over = [allocation('A', '0.5', '5')];
    expect(roomUntilCap({ allocations: over, depositRoom: null, totalValue: total })?.amount).toBe('0');
  });
});

describe('what can leave a reserve', () => {
  const part = { amount: '100', usd: '100', baseUnits: '100' };
  const row = (available: string) => ({
    reserveAddress: 'A',
    index: 0,
    target: '1',
    actual: '1',
    amount: part,
    cap: part,
    reserve: {
      id: 'A',
      supplyApy: { total: '0' },
      utilization: '0',
      available: { amount: available, usd: available },
      token: { id: 'u', symbol: 'USDC' },
      market: null,
    },
  });

  it.each([
    ['60', '60'],
    ['9000', '100'],
  ])('is no more than what is at hand (%s) and what the vault has', (available, expected) => {
    expect(leavesNow(row(available))?.amount).toBe(expected);
  });

  it('is not known for a reserve that cannot be read', () => {
    expect(leavesNow({ ...row('1'), reserve: null })).toBeNull();
  });
});

describe('moves', () => {
  const names = new Map([
    ['A', 'Harbor'],
    ['B', 'Treasury'],
    ['C', 'Tide'],
  ]);
  const change = (
    kind: VaultChange['kind'],
    reserveAddress: string | null,
    moved: string | null,
  ): VaultChange => ({
    createdAt: '2026-11-01T00:00:00.000Z',
    kind,
    signature: 'S',
    by: 'W',
    moved,
    reserveAddress,
    reserve: null,
  });
  const said = (...changes: VaultChange[]) =>
    movesOf(changes, names).map(({ amount, words }) => [amount?.toString() ?? null, words]);

  it.each<[string, VaultChange[], string | null, string]>([
    [
      'between reserves',
      [change('MOVE', 'A', '-5'), change('MOVE', 'B', '5')],
      '5',
      'from Harbor to Treasury',
    ],
    [
      'of a deposit',
      [change('MOVE', 'A', '1.5'), change('MOVE', 'B', '2'), change('MOVE', 'C', '3')],
      '6.5',
      'from the vault to Harbor, Treasury and Tide',
    ],
    ['back', [change('MOVE', 'A', '-5')], '5', 'from Harbor to the vault'],
    ['of terms', [change('SET_TARGET', 'C', null)], null, 'set the weight or cap of Tide'],
    ['out', [change('REMOVE', 'C', null)], null, 'removed Tide'],
    ['of the idle part', [change('SET_IDLE', null, null)], null, 'changed what stays in the vault'],
  ])('%s are one sentence', (_kind, changes, amount, words) => {
    expect(said(...changes)).toEqual([[amount, words]]);
  });

  it('of two transactions are two', () => {
    expect(said(change('MOVE', 'A', '5'), { ...change('MOVE', 'A', '6'), signature: 'T' })).toHaveLength(2);
  });
});

describe('words about targets', () => {
  const names = new Map([['A', 'Harbor']]);
  it.each([
    ['0.265', '0.271', 'One market, all within 1% of target.'],
    ['0.265', '0.3', 'One market. Harbor is the farthest from its target: 3.5% above it.'],
    ['0.265', '0.2', 'One market. Harbor is the farthest from its target: 6.5% below it.'],
    ['0.265', null, 'One market.'],
  ])('target %s, actual %s', (target, actual, words) => {
    expect(targetWords([{ reserveAddress: 'A', actual, target }], names)).toBe(words);
  });
});

describe('series of the past', () => {
  const at = (day: number, tokensPerShare: string | null) => ({
    timestamp: new Date(Date.UTC(2026, 0, 1 + day)).toISOString(),
    tokensPerShare,
  });

  it('show the interest that came true over 30 days, once there are 30', () => {
    // 1% in 30 days, compounded over 365: 1.01 ** (365 / 30) - 1 = 0.12869.
    const { values } = realisedSeries([at(0, '1'), at(15, '1.2'), at(30, '1.01'), at(40, null)]);
    expect(values.slice(0, 2)).toEqual([null, null]);
    expect(values[2]).toBeCloseTo(0.12869, 4);
    expect(values[3]).toBeNull();
  });

  it('stack places by their newest size, and end with what was not lent', () => {
    const points = [
      {
        totalValueUsd: '100',
        reserves: [
          { share: '0.7', reserveAddress: 'A', reserve: null },
          { share: '0.2', reserveAddress: 'B', reserve: null },
        ],
      },
      {
        totalValueUsd: null,
        reserves: [
          { share: '0.25', reserveAddress: 'A', reserve: null },
          { share: '0.5', reserveAddress: 'B', reserve: null },
        ],
      },
    ];
    const series = (unit: 'usd' | 'part') =>
      placeSeries(points, unit, new Map([['A', 'Harbor']])).map(({ label, values }) => [label, ...values]);
    expect(series('usd').map(([label, first]) => [label, Math.round(Number(first))])).toEqual([
      ['B', 20],
      ['Harbor', 70],
      ['Not lent out', 10],
    ]);
    expect(series('usd').every(([, , second]) => second === null)).toBe(true);
    expect(series('part').map(([, , second]) => second)).toEqual([0.5, 0.25, 0.25]);
  });
});

describe('texts of an axis', () => {
  it.each([
    [
      ['$0', '$5.0M', '$10.0M'],
      ['$0', '$5M', '$10M'],
    ],
    [
      ['0.00%', '3.00%'],
      ['0%', '3%'],
    ],
    [
      ['0.00%', '2.50%'],
      ['0.00%', '2.50%'],
    ],
    [
      ['$500', '$1.0K'],
      ['$500', '$1K'],
    ],
  ])('%j', (texts, expected) => {
    expect(axisTexts(texts)).toEqual(expected);
  });
});
