import { describe, expect, it } from 'vitest';
import { movesTogether, priceShocks, tokenGroups } from '../src/pages/wallet/token-groups.ts';
import {
  nearestOf,
  outcomeText,
  signedPercent,
  whatIfRows,
  whyUnknown,
} from '../src/pages/wallet/what-if.ts';
import type { Supposed } from '../src/pages/wallet/what-if-documents.ts';
import { suppositionOf, suppositionText } from '../src/pages/wallet/what-if-state.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const side = (symbol: string, usd: string, stakeRateSol: string | null = null) => ({
  reserve: {
    token: { mint: symbol === 'SOL' ? SOL : `mint of ${symbol}`, symbol, stakeRateSol },
    price: { usd },
  },
});
const [sol, jito, usdc, btc] = [
  side('SOL', '160'),
  side('jitoSOL', '220', '1.37'),
  side('USDC', '0.9998'),
  side('wBTC', '109000'),
];
const LOANS = [
  { deposits: [usdc, btc], borrows: [sol, { reserve: null }] },
  { deposits: [jito], borrows: [sol] },
];
const GROUPS = tokenGroups(LOANS);

describe('supposed prices', () => {
  it('move SOL with its staked forms, and every other token alone, dollars last', () => {
    expect(GROUPS.map(({ name, mints, isDollar }) => [name, mints.length, isDollar])).toEqual([
      ['SOL and staked SOL', 2, false],
      ['wBTC', 1, false],
      ['USDC', 1, true],
    ]);
  });

  it('name every token of a group, and none that does not move', () => {
    expect(priceShocks(GROUPS, { SOL: -20, wBTC: 0, ETH: 50 })).toEqual([
      { mint: SOL, changePct: '-20' },
      { mint: 'mint of jitoSOL', changePct: '-20' },
    ]);
  });

  it('do not break a loan whose two sides move together', () => {
    expect(LOANS.map((loan) => movesTogether(loan, GROUPS))).toEqual([false, true]);
  });

  it('keep two tokens of one symbol apart', () => {
    const twin = { reserve: { ...btc.reserve, token: { ...btc.reserve.token, mint: 'other mint' } } };
    const keys = tokenGroups([{ deposits: [btc, twin], borrows: [] }]).map(({ key }) => key);
    expect(keys).toEqual(['wBTC', 'other mint']);
  });

  it('are shown with their sign', () => {
    expect([signedPercent(-90), signedPercent(0), signedPercent(100)]).toEqual(['−90%', '0%', '+100%']);
  });
});

describe('a supposition in the link', () => {
  it.each([
    [{ changes: { SOL: -20, wBTC: 5 }, days: 30 }, 'SOL.-20_wBTC.5_days.30'],
    [{ changes: {}, days: 0 }, ''],
    [{ changes: { 'a.b': 10 }, days: 0 }, 'a.b.10'],
  ])('%j is written as %j and read back', (supposed, text) => {
    expect(suppositionText(supposed)).toBe(text);
    expect(suppositionOf(text)).toEqual(supposed);
  });

  it.each([
    ['SOL.-500', { SOL: -90 }, 0],
    ['SOL.x_.5_days.9999', {}, 365],
    ['SOL', {}, 0],
  ])('%j is read as far as it makes sense', (text, changes, days) => {
    expect(suppositionOf(text)).toEqual({ changes, days });
  });

  it('leaves out what does not change', () => {
    expect(suppositionText({ changes: { SOL: 0 }, days: 0 })).toBe('');
  });
});

const loan = (
  healthFactor: string | null,
  { unknown = null, liquidatable = false }: Partial<Pick<Supposed, 'unknown' | 'liquidatable'>> = {},
): Supposed => ({
  healthFactor,
  loanToValue: '0.5',
  liquidationLtv: '0.8',
  liquidatable,
  depositedUsd: '10',
  borrowedUsd: '5',
  netValueUsd: '5',
  badDebtUsd: '0',
  unknown,
  liquidation: null,
  obligation: null,
});

describe('supposed loans', () => {
  it('are compared field by field', () => {
    const [health] = whatIfRows(loan('1.6'), loan('1.2'));
    expect(health).toMatchObject({ name: 'Health factor', before: '1.6', after: '1.2' });
  });

  it('say why a value is unknown', () => {
    expect(whyUnknown(loan(null, { unknown: 'PRICE_UNKNOWN' }))).toBe('A token of the loan has no price.');
    expect(whyUnknown(loan(null))).toBe('No debt of any value');
  });

  it.each([
    [[loan('1.65'), loan('1.36')], 'both loans stay safe'],
    [[loan('1.65')], 'your loan stays safe'],
    [[loan('1.65'), loan('1.12')], '1 of 2 loans needs caution'],
    [[loan('1.05'), loan('1.02')], 'both loans are in danger'],
    [[loan('0.9', { liquidatable: true }), loan('1.5'), loan('1.02')], '1 of 3 loans can be liquidated'],
  ])('are judged by the worst of them: %#', (states, said) => {
    const outcome = outcomeText(states);
    expect(`${outcome?.subject} ${outcome?.state}`).toBe(said);
  });

  it('are not judged without a debt', () => {
    expect(outcomeText([loan(null)])).toBeNull();
  });

  it('have the distance of the one nearest to liquidation', () => {
    expect(nearestOf([loan('1.25'), loan('2'), loan(null)])?.toString()).toBe('0.2');
    expect(nearestOf([])).toBeNull();
  });
});
