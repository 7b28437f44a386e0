import { describe, expect, it } from 'vitest';
import { typedAmount } from '../src/act/amount.ts';

describe('a typed amount', () => {
  it.each([
    ['12.5', '12.5'],
    [' 7 ', '7'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['0.000001', '0.000001'],
    ['123456789012345678.123456', '123456789012345678.123456'],
  ])('reads %j exactly', (text, amount) => {
    const typed = typedAmount(text, 6, 'USDC');
    expect(typed.kind === 'amount' && typed.amount.toString()).toBe(amount);
  });

  it.each(['', '  ', '0', '0.000', '.'])('is empty for %j', (text) => {
    expect(typedAmount(text, 6, 'USDC')).toEqual({ kind: 'empty' });
  });

  it.each(['-1', '1e3', '1,000', 'abc', '1.2.3', '+5'])('is a mistake for %j', (text) => {
    expect(typedAmount(text, 6, 'USDC').kind).toBe('mistake');
  });

  it('is a mistake with more places than the token has', () => {
    expect(typedAmount('0.0000001', 6, 'USDC')).toEqual({
      kind: 'mistake',
      message: 'USDC has at most 6 decimal places.',
    });
    expect(typedAmount('1.1000000', 6, 'USDC').kind).toBe('amount');
  });
});
