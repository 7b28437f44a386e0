import { parseDecimal, toDecimalString } from '@sluice/protocol/numeric/decimal';
import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { lendingAccounts } from '../../src/builders/lending/accounts.ts';
import { buildLending } from '../../src/builders/lending/action.ts';
import type { LendingAction } from '../../src/builders/lending/request.ts';
import type { Change } from '../../src/builders/preview.ts';
import { vaultAccounts } from '../../src/builders/vault/accounts.ts';
import { buildVaultEntry, buildVaultExit } from '../../src/builders/vault/action.ts';
import type { ShareAmountInput } from '../../src/builders/vault/share-amount.ts';
import {
  type LendingSetting,
  lendingChain,
  lendingRequest,
  NOW,
  SLOT,
} from '../support/builders/lending-accounts.ts';
import { type VaultSetting, vaultChain, vaultRequest } from '../support/builders/vault-accounts.ts';

/** 1000 of collateral at 75/85 %, 500 owed in another token. */
const POSITION: LendingSetting = {
  reserves: [{}, {}],
  deposits: [[0, 1_000_000_000n]],
  borrows: [[1, 500_000_000n]],
  balances: [10n ** 12n, 10n ** 12n],
};

function lend(action: LendingAction, reserve: number, tokens: string, setting: LendingSetting = POSITION) {
  const address = lendingRequest(action).reserve;
  const request = lendingRequest(action, { reserve: reserve === 0 ? address : secondReserve });
  const accounts = lendingAccounts(request, lendingChain(setting), SLOT);
  return buildLending(
    accounts,
    tokens === 'all' ? { all: true } : { tokens: parseDecimal(tokens) },
    NOW,
  ).preview();
}

const secondReserve = (() => {
  const accounts = lendingAccounts(lendingRequest('deposit'), lendingChain(POSITION), SLOT);
  const [, second] = [...accounts.reserves.keys()];
  if (second === undefined) throw new Error('no second reserve');
  return second;
})();

const shown = (change: Change | null) =>
  change && [change.before, change.after].map((value) => value && toDecimalString(value));

describe('lending previews', () => {
  it('a deposit raises limit and health', () => {
    const preview = lend('deposit', 0, '200');
    expect(shown(preview.tokens)).toEqual(['1000', '1200']);
    expect(shown(preview.borrowLimitUsd)).toEqual(['750', '900']);
    expect(shown(preview.netValueUsd)).toEqual(['500', '700']);
    expect(shown(preview.healthFactor)).toEqual(['1.7', '2.04']);
    expect(shown(preview.maxBorrowUsd)).toEqual(['250', '400']);
    expect(shown(preview.loanToValue)?.[0]).toBe('0.5');
    // 400 000 of 1 000 000 tokens are lent; 200 more are supplied.
    expect(shown(preview.utilization)).toEqual(['0.4', '0.3999200159968006398720255948810238']);
    expect(preview.fees).toEqual([]);
  });

  it('a first deposit starts from zero', () => {
    const preview = lend('deposit', 0, '10', { obligation: 'none', balances: [10n ** 9n] });
    expect(shown(preview.tokens)).toEqual(['0', '10']);
    expect(shown(preview.healthFactor)).toEqual([null, null]);
    expect(shown(preview.borrowLimitUsd)).toEqual(['0', '7.5']);
  });

  it('a borrow adds its fee to the debt', () => {
    const fees = { originationFeeSf: FRACTION_ONE / 100n, flashLoanFeeSf: 0n };
    const setting = { ...POSITION, reserves: [{}, { config: { fees } }] };
    const preview = lend('borrow', 1, '100', setting);
    expect(preview.fees).toMatchObject([{ kind: 'ORIGINATION', amount: 1_000_000n, decimals: 6 }]);
    expect(shown(preview.tokens)).toEqual(['500', '601']);
    expect(shown(preview.netValueUsd)).toEqual(['500', '399']);
  });

  it('a repayment repays at most the debt', () => {
    expect(shown(lend('repay', 1, '200').tokens)).toEqual(['500', '300']);
    const whole = lend('repay', 1, '900');
    expect(shown(whole.tokens)).toEqual(['500', '0']);
    expect(shown(whole.healthFactor)?.[1]).toBeNull();
    expect(lend('repay', 1, 'all').tokens).toEqual(whole.tokens);
  });

  it('a withdrawal redeems at least the requested amount', () => {
    const worn = { ...POSITION, reserves: [{ collateral: 900_000_000_001n }, {}] };
    const preview = lend('withdraw', 0, '100', worn);
    const [before, after] = [preview.tokens?.before, preview.tokens?.after];
    const left = before && after ? toDecimalString(before.sub(after)) : '';
    expect(Number(left)).toBeGreaterThanOrEqual(100);
    expect(Number(left)).toBeLessThan(100.00001);
  });

  it('a withdrawal of "all" is limited by the debt', () => {
    const preview = lend('withdraw', 0, 'all');
    // (750 - 500) / 0.75, rounded down to the base unit and without a margin.
    expect(shown(preview.tokens)?.[1]).toBe('666.666667');
    expect(shown(lend('withdraw', 0, 'all', { ...POSITION, borrows: [] }).tokens)).toEqual(['1000', '0']);
  });

  it('a borrow of "all" takes the fee out of what the collateral covers', () => {
    const fees = { originationFeeSf: FRACTION_ONE / 100n, flashLoanFeeSf: 0n };
    const preview = lend('borrow', 1, 'all', { ...POSITION, reserves: [{}, { config: { fees } }] });
    // 750 - 500, of which 250 / 101 = 2.47524752 is the fee.
    expect(shown(preview.tokens)).toEqual(['500', '750']);
    expect(preview.fees).toMatchObject([{ kind: 'ORIGINATION', amount: 2_475_248n }]);
    expect(preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  it.each([
    ['the borrow limit', { config: { borrowLimit: 400_000_000_007n } }, '500.000007'],
    ['the liquidity', { available: 12n }, '500.000012'],
  ])('a borrow of "all" is reduced to %s', (_, reserve, after) => {
    const preview = lend('borrow', 1, 'all', { ...POSITION, reserves: [{}, reserve] });
    expect(shown(preview.tokens)?.[1]).toBe(after);
    expect(preview.warnings.filter(({ level }) => level === 'ERROR')).toEqual([]);
  });

  it('has no USD values when a price is missing', () => {
    const preview = lend('deposit', 0, '1', { ...POSITION, reserves: [{ priceUsd: 0n }, {}] });
    expect(shown(preview.healthFactor)).toEqual([null, null]);
    expect(shown(preview.tokens)).toEqual(['1000', '1001']);
    expect(preview.warnings.map(({ code }) => code)).toContain('PRICE_UNKNOWN');
  });
});

function enter(tokens: string, setting: VaultSetting) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return buildVaultEntry(accounts, { tokens: parseDecimal(tokens) }, NOW).preview();
}

function leave(amount: ShareAmountInput, setting: VaultSetting) {
  const accounts = vaultAccounts(vaultRequest(), vaultChain(setting), SLOT);
  return buildVaultExit(accounts, amount, NOW).preview();
}

describe('vault previews', () => {
  /** Two tokens per share. */
  const DOUBLE: VaultSetting = {
    idle: 0n,
    sharesIssued: 250_000_000_000n,
    balance: 10n ** 12n,
    shares: 10_000_000n,
  };

  it('a deposit mints shares at the current share price', () => {
    const preview = enter('100', DOUBLE);
    expect(shown(preview.shares)).toEqual(['10', '60']);
    expect(shown(preview.tokens)).toEqual(['20', '120']);
  });

  it('the crank fee is taken from the deposit', () => {
    const preview = enter('100', { ...DOUBLE, change: { crankFundFeePerReserve: 2_000_000n } });
    expect(preview.fees).toMatchObject([{ kind: 'CRANK', amount: 2_000_000n }]);
    expect(shown(preview.shares)).toEqual(['10', '59']);
  });

  it('the first deposit mints one share per token', () => {
    const preview = enter('5', { invested: [0n], idle: 0n, sharesIssued: 0n, balance: 10n ** 9n });
    expect(shown(preview.shares)).toEqual(['0', '5']);
    expect(shown(preview.tokens)).toEqual(['0', '5']);
  });

  it('charges uncharged fees first', () => {
    const due: VaultSetting = {
      ...DOUBLE,
      // A year ago, at 10 % of 500 000 a year.
      change: {
        lastFeeChargeTimestamp: NOW.timestamp - 31_556_926n,
        managementFeeBps: 1_000n,
        prevAumSf: 500_000_000_000n * FRACTION_ONE,
      },
    };
    // 250 000 shares for 450 000 tokens. The program rounds the fee down and the assets up: a base unit of shares less.
    expect(shown(enter('90', due).shares)).toEqual(['10', '59.999999']);
  });

  it('a withdrawal pays the penalty', () => {
    const preview = leave({ shares: parseDecimal('4') }, { ...DOUBLE, penaltyBps: 50n });
    expect(preview.fees).toMatchObject([{ kind: 'WITHDRAWAL_PENALTY', amount: 40_000n }]);
    expect(shown(preview.shares)).toEqual(['10', '6']);
    expect(preview.warnings.map(({ code }) => code)).toEqual(['WITHDRAWAL_PENALTY']);
  });

  it('a withdrawal in tokens redeems the shares of that value', () => {
    expect(shown(leave({ tokens: parseDecimal('7') }, DOUBLE).shares)).toEqual(['10', '6.5']);
    expect(shown(leave({ all: true }, DOUBLE).shares)).toEqual(['10', '0']);
  });

  it('a withdrawal from a reserve raises its utilization', () => {
    const { utilization, supplyApy, borrowApy } = leave({ shares: parseDecimal('1') }, DOUBLE);
    if (!utilization?.before || !utilization.after || !supplyApy?.before || !supplyApy.after) {
      throw new Error('nothing is shown');
    }
    expect(utilization.after.compare(utilization.before)).toBe(1);
    expect(supplyApy.after.compare(supplyApy.before)).toBe(1);
    expect(borrowApy).toBeNull();
  });
});
