import { describe, expect, it } from 'vitest';
import { cancelOrderOf, NEW_ORDER, type OrderTarget, setOrderOf } from '../src/act/order-action.ts';

const TARGET: OrderTarget = {
  kind: 'order',
  market: 'market',
  obligation: 'loan',
  cancelled: null,
  debtSymbol: 'SOL',
};
const PLACE = { wallet: 'wallet', market: 'market', obligation: { address: 'loan' } };

const setting = (typed: Partial<typeof NEW_ORDER>) =>
  setOrderOf(TARGET, 'wallet', { ...NEW_ORDER, ...typed });

describe('the order that is typed', () => {
  it('has percent as fractions and bonuses as basis points', () => {
    expect(setting({ threshold: '72.5', minBonus: '0.25', maxBonus: '3' })).toEqual({
      setObligationOrder: {
        ...PLACE,
        condition: 'LTV_ABOVE',
        threshold: '0.725',
        amount: { all: 'ALL' },
        minBonusBps: 25,
        maxBonusBps: 300,
      },
    });
  });

  it('has ratios and amounts as they are', () => {
    expect(setting({ condition: 'PRICE_RATIO_BELOW', threshold: '.5', amount: ' 1.5 ' })).toMatchObject({
      setObligationOrder: { condition: 'PRICE_RATIO_BELOW', threshold: '0.5', amount: { tokens: '1.5' } },
    });
  });

  it.each([
    { threshold: '' },
    { threshold: 'much' },
    { threshold: '70', amount: 'all' },
    { threshold: '70', minBonus: '' },
    { threshold: '70', maxBonus: '1.234' },
  ])('is none while $threshold $amount $minBonus $maxBonus is typed', (typed) => {
    expect(setting(typed)).toBeNull();
  });

  it('is cancelled by its place', () => {
    expect(cancelOrderOf(TARGET, 'wallet', 1)).toEqual({ cancelObligationOrder: { ...PLACE, index: 1 } });
  });
});
