import { describe, expect, it } from 'vitest';
import type { Capacity, Limit } from '../src/pages/reserve/capacity-documents.ts';
import { LIMIT_WORDS, limitRows } from '../src/pages/reserve/capacity-limits.ts';

const amountOf = (amount: string) => ({ amount, usd: null });

const capacity = (bindingLimit: Limit, limits: readonly (readonly [Limit, string])[]): Capacity => ({
  amount: amountOf('0'),
  bindingLimit,
  limits: limits.map(([name, amount]) => ({ name, amount: amountOf(amount) })),
});

describe('limits of a reserve', () => {
  const rows = limitRows({
    supply: capacity('DEPOSIT_LIMIT', [['DEPOSIT_LIMIT', '40']]),
    borrow: capacity('UTILIZATION', [
      ['LIQUIDITY', '9'],
      ['UTILIZATION', '3'],
    ]),
    withdraw: capacity('LIQUIDITY', [['LIQUIDITY', '9']]),
  });

  it('have a row each, with the actions that they apply to', () => {
    expect(
      rows.map(({ limit, cells: { supply, borrow, withdraw } }) => [
        limit,
        supply?.amount.amount ?? null,
        borrow?.amount.amount ?? null,
        withdraw?.amount.amount ?? null,
      ]),
    ).toEqual([
      ['DEPOSIT_LIMIT', '40', null, null],
      ['LIQUIDITY', null, '9', '9'],
      ['UTILIZATION', null, '3', null],
    ]);
  });

  it('mark the one that binds, for each action', () => {
    const binding = (action: 'supply' | 'borrow' | 'withdraw') =>
      rows.filter(({ cells }) => cells[action]?.binds === true).map(({ limit }) => limit);
    expect(binding('supply')).toEqual(['DEPOSIT_LIMIT']);
    expect(binding('borrow')).toEqual(['UTILIZATION']);
    expect(binding('withdraw')).toEqual(['LIQUIDITY']);
  });

  it('are named in words of their own', () => {
    const words = Object.values(LIMIT_WORDS);
    expect(new Set(words).size).toBe(words.length);
  });
});
