import { describe, expect, it } from 'vitest';
import {
  loanTokens,
  priceShocks,
  signedPercent,
  typedDays,
  whatIfRows,
  whyUnknown,
} from '../src/pages/wallet/what-if.ts';
import type { Supposed } from '../src/pages/wallet/what-if-documents.ts';

const side = (symbol: string) => ({ reserve: { token: { mint: `mint of ${symbol}`, symbol } } });
const TOKENS = loanTokens({
  deposits: [side('SOL'), side('USDC')],
  borrows: [side('USDC'), { reserve: null }],
});

describe('supposed prices', () => {
  it('are of each token of the loan once', () => {
    expect(TOKENS.map(({ symbol }) => symbol)).toEqual(['SOL', 'USDC']);
  });

  it('leave out tokens that do not move, and those of another loan', () => {
    const changes = { 'mint of SOL': -20, 'mint of USDC': 0, 'mint of ETH': 50 };
    expect(priceShocks(TOKENS, changes)).toEqual([{ mint: 'mint of SOL', changePct: '-20' }]);
  });

  it('are shown with their sign', () => {
    expect([signedPercent(-90), signedPercent(0), signedPercent(100)]).toEqual(['-90%', '0%', '+100%']);
  });
});

describe('supposed days', () => {
  it.each([
    ['0', 0],
    [' 30 ', 30],
    ['3650', 3650],
    ['3651', null],
    ['1.5', null],
    ['-1', null],
    ['', null],
  ])('%j are read as %j', (text, days) => {
    expect(typedDays(text)).toBe(days);
  });
});

describe('a supposed loan', () => {
  const loan = (healthFactor: string | null, unknown: Supposed['unknown']): Supposed => ({
    healthFactor,
    loanToValue: '0.5',
    liquidationLtv: '0.8',
    liquidatable: false,
    depositedUsd: '10',
    borrowedUsd: '5',
    netValueUsd: '5',
    badDebtUsd: '0',
    unknown,
    liquidation: null,
  });

  it('is compared field by field', () => {
    const [health] = whatIfRows(loan('1.6', null), loan('1.2', null));
    expect(health).toMatchObject({ name: 'Health factor', before: '1.6', after: '1.2' });
  });

  it('says why a value is unknown', () => {
    expect(whyUnknown(loan(null, 'PRICE_UNKNOWN'))).toBe('A token of the loan has no price.');
    expect(whyUnknown(loan(null, null))).toBe('No debt of any value');
  });
});
