import { describe, expect, it } from 'vitest';
import { Decimal } from '../../client/src/decimal.ts';
import { amountAtStep, stepOfAmount, typedAmount } from '../src/act/amount.ts';

const of = (text: string) => Decimal.of(text);

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

describe('the slider', () => {
  it('cuts an amount to what the token can express', () => {
    expect(amountAtStep(33, of('10.000001'), 6).toString()).toBe('3.3');
    expect(amountAtStep(1, of('0.000099'), 6).toString()).toBe('0');
    expect(amountAtStep(50, of('3'), 0).toString()).toBe('1');
  });

  it('ends exactly at the maximum', () => {
    expect(amountAtStep(100, of('0.123456789012345678'), 6).toString()).toBe('0.123456789012345678');
  });

  it('starts at zero', () => {
    expect(amountAtStep(0, of('10'), 6).isZero).toBe(true);
  });

  it('shows the step nearest to an amount', () => {
    expect(stepOfAmount(of('2.5'), of('10'))).toBe(25);
    expect(stepOfAmount(of('10'), of('10'))).toBe(100);
    expect(stepOfAmount(of('11'), of('10'))).toBe(100);
    expect(stepOfAmount(null, of('10'))).toBe(0);
    expect(stepOfAmount(of('1'), of('0'))).toBe(0);
    expect(stepOfAmount(of('1'), null)).toBe(0);
  });

  it('is at its end for the maximum only', () => {
    expect(stepOfAmount(of('9.999999'), of('10'))).toBe(99);
  });
});
