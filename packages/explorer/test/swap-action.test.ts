import { describe, expect, it } from 'vitest';
import { fromSides, type SwapTarget, swapOf, swapsOf, toSides } from '../src/act/swap-action.ts';

const SOL = { reserve: 'sol', symbol: 'SOL' };
const USDC = { reserve: 'usdc', symbol: 'USDC' };
const USDT = { reserve: 'usdt', symbol: 'USDT' };
const TARGET: SwapTarget = {
  kind: 'swap',
  market: 'market',
  obligation: 'loan',
  deposits: [SOL],
  debts: [USDC],
};
const PLACE = { wallet: 'wallet', market: 'market', obligation: { address: 'loan' } };

describe('the swaps of a loan', () => {
  it('depend on its positions', () => {
    expect(swapsOf(TARGET)).toEqual(['repayWithCollateral', 'swapDebt', 'swapCollateral']);
    expect(swapsOf({ ...TARGET, debts: [] })).toEqual(['swapCollateral']);
    expect(swapsOf({ ...TARGET, deposits: [], debts: [] })).toEqual([]);
  });

  it('go from a position to another reserve, or are paid by a deposit', () => {
    const reserves = [SOL, USDC, USDT];
    expect(fromSides(TARGET, 'swapDebt')).toEqual([USDC]);
    expect(toSides(TARGET, 'swapDebt', 'usdc', reserves)).toEqual([SOL, USDT]);
    expect(fromSides(TARGET, 'repayWithCollateral')).toEqual([USDC]);
    expect(toSides(TARGET, 'repayWithCollateral', 'usdc', reserves)).toEqual([SOL]);
    expect(fromSides(TARGET, 'swapCollateral')).toEqual([SOL]);
    expect(toSides(TARGET, 'swapCollateral', 'sol', reserves)).toEqual([USDC, USDT]);
  });
});

describe('the swap that is typed', () => {
  const typed = { kind: 'swapDebt', from: 'usdc', to: 'usdt', amount: '12.5' } as const;

  it('has no swap of its own, so the gateway quotes one', () => {
    expect(swapOf(TARGET, 'wallet', typed)).toEqual({
      swapDebt: { ...PLACE, repayReserve: 'usdc', borrowReserve: 'usdt', amount: { tokens: '12.5' } },
    });
    expect(
      swapOf(TARGET, 'wallet', { ...typed, kind: 'swapCollateral', from: 'sol', amount: ' All ' }),
    ).toEqual({
      swapCollateral: { ...PLACE, withdrawReserve: 'sol', depositReserve: 'usdt', amount: { all: 'ALL' } },
    });
    expect(swapOf(TARGET, 'wallet', { ...typed, kind: 'repayWithCollateral', to: 'sol' })).toEqual({
      repayWithCollateral: {
        ...PLACE,
        debtReserve: 'usdc',
        collateralReserve: 'sol',
        amount: { tokens: '12.5' },
      },
    });
  });

  it.each([{ amount: '' }, { amount: 'much' }, { amount: '-1' }, { to: '' }])(
    'is missing something: %o',
    (missing) => {
      expect(swapOf(TARGET, 'wallet', { ...typed, ...missing })).toBeNull();
    },
  );
});
