import { describe, expect, it } from 'vitest';
import { type RepayWithdrawTarget, repayWithdrawOf } from '../src/act/repay-withdraw-action.ts';

const target: RepayWithdrawTarget = {
  kind: 'repay-withdraw',
  market: 'market',
  obligation: 'loan',
  debts: [{ reserve: 'debt', symbol: 'USDC' }],
  deposits: [{ reserve: 'deposit', symbol: null }],
};
const typed = { debt: 'debt', repay: '100', deposit: 'deposit', withdraw: '.5' };
const place = {
  wallet: 'me',
  market: 'market',
  obligation: { address: 'loan' },
  repayReserve: 'debt',
  withdrawReserve: 'deposit',
};

describe('the form that repays and withdraws at once', () => {
  it('makes the action from two amounts', () => {
    expect(repayWithdrawOf(target, 'me', typed)).toEqual({
      repayAndWithdraw: { ...place, repay: { tokens: '100' }, withdraw: { tokens: '0.5' } },
    });
  });

  it('takes "all" as everything', () => {
    expect(repayWithdrawOf(target, 'me', { ...typed, repay: ' All ', withdraw: 'all' })).toEqual({
      repayAndWithdraw: { ...place, repay: { all: 'ALL' }, withdraw: { all: 'ALL' } },
    });
  });

  it.each(['', '0', '-1', '1e9', 'half', '1,5'])('makes none of %j', (text) => {
    expect(repayWithdrawOf(target, 'me', { ...typed, repay: text })).toBeNull();
    expect(repayWithdrawOf(target, 'me', { ...typed, withdraw: text })).toBeNull();
  });
});
