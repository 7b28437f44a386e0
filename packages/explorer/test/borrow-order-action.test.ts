import { describe, expect, it } from 'vitest';
import {
  type BorrowOrderTarget,
  cancelBorrowOrderOf,
  NEW_BORROW_ORDER,
  setBorrowOrderOf,
} from '../src/act/borrow-order-action.ts';

const TARGET: BorrowOrderTarget = {
  kind: 'borrowOrder',
  market: 'market',
  obligation: 'loan',
  cancelled: null,
};
const PLACE = { wallet: 'wallet', market: 'market', obligation: { address: 'loan' } };
const TYPED = { ...NEW_BORROW_ORDER, mint: 'mint', amount: '250', maxRate: '7.25', until: '2027-12-31' };

const setting = (typed: Partial<typeof TYPED>) => setBorrowOrderOf(TARGET, 'wallet', { ...TYPED, ...typed });

describe('the borrow order that is typed', () => {
  it('has percent as basis points, and lasts to the end of the day', () => {
    expect(setting({})).toEqual({
      setBorrowOrder: {
        ...PLACE,
        mint: 'mint',
        amount: { tokens: '250' },
        maxBorrowRateBps: 725,
        minTermSeconds: '0',
        fillableUntil: '2027-12-31T23:59:59.000Z',
        autoRollover: false,
      },
    });
  });

  it('has days as seconds', () => {
    expect(setting({ minDays: '30', rollsOver: true })).toMatchObject({
      setBorrowOrder: { minTermSeconds: '2592000', autoRollover: true },
    });
  });

  it.each([
    { mint: '' },
    { amount: '' },
    { amount: '0' },
    { amount: 'all' },
    { maxRate: '' },
    { maxRate: '0' },
    { maxRate: '1.234' },
    { maxRate: '99999999999' },
    { minDays: '1.5' },
    { minDays: '-1' },
    { until: '' },
  ])('is none while %o is typed', (typed) => {
    expect(setting(typed)).toBeNull();
  });

  it('is cancelled by its place', () => {
    expect(cancelBorrowOrderOf(TARGET, 'wallet', 2)).toEqual({ cancelBorrowOrder: { ...PLACE, index: 2 } });
  });
});
