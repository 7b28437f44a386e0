import { describe, expect, it } from 'vitest';
import { reserveOptions, typedHealth } from '../src/pages/wallet/reach.ts';

describe('a health factor to reach', () => {
  it.each([
    ['1.5', '1.5'],
    [' 2 ', '2'],
    ['1000000', '1000000'],
    ['1000000.1', null],
    ['0', null],
    ['-1', null],
    ['high', null],
    ['', null],
  ])('%j is read as %j', (text, health) => {
    expect(typedHealth(text)).toBe(health);
  });
});

describe('reserves to act in', () => {
  const side = (reserveAddress: string, symbol: string | null) => ({
    reserveAddress,
    reserve: symbol === null ? null : { token: { symbol } },
  });
  const loan = { deposits: [side('a', 'SOL'), side('b', null)], borrows: [side('c', 'USDC')] };

  it('are those of the debts to repay', () => {
    expect(reserveOptions(loan, 'REPAY')).toEqual([{ reserve: 'c', symbol: 'USDC' }]);
  });

  it('are those of the deposits otherwise, also one that cannot be read', () => {
    const deposits = [
      { reserve: 'a', symbol: 'SOL' },
      { reserve: 'b', symbol: null },
    ];
    expect(reserveOptions(loan, 'DEPOSIT')).toEqual(deposits);
    expect(reserveOptions(loan, 'WITHDRAW')).toEqual(deposits);
  });
});
