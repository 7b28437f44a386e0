import { describe, expect, it } from 'vitest';
import { enter, leave, lend, owed, position, RICH } from '../support/builders/built-warnings.ts';
import { type LendingSetting, reserveAddress } from '../support/builders/lending-accounts.ts';

describe('when a warning applies', () => {
  it('only actions that need a price are refused for it', () => {
    const old: LendingSetting = position({ oracle: { ageSeconds: 121n } });
    for (const action of ['deposit', 'repay'] as const) {
      expect(lend(action, '5', old).map(({ code }) => code)).toEqual(['PRICE_STALE']);
    }
    const debtless: LendingSetting = { ...old, borrows: [] };
    expect(lend('withdraw', '5', debtless, 1).map(({ code }) => code)).toEqual([]);
    expect(lend('borrow', '5', debtless).map(({ code }) => code)).toEqual(['PRICE_REFUSED']);
  });

  it('a valid action has no warnings', () => {
    expect(lend('deposit', '5', { balances: RICH })).toEqual([]);
    expect(lend('borrow', '5', position())).toEqual([]);
    expect(lend('repay', '5', position())).toEqual([]);
    expect(lend('withdraw', '5', position(), 1)).toEqual([]);
    expect(enter('5', { balance: 10n ** 9n })).toEqual([]);
    expect(leave('0.5', { shares: 10n ** 9n })).toEqual([]);
  });

  it.each([
    ['5', []],
    ['5.000001', ['BORROW_LIMIT_EXCEEDED']],
  ])('counts debts outside groups as a refresh does: %s', (tokens, codes) => {
    const setting = position(
      {
        // 100 are counted, 40 of them for this obligation, which owes 100 by now: 160 after a refresh.
        change: { borrowedAmountOutsideElevationGroup: 100_000_000n },
        config: { borrowLimitOutsideElevationGroup: 165_000_000n },
      },
      { change: { borrows: [{ ...owed(100_000_000n), borrowedAmountOutsideElevationGroups: 40_000_000n }] } },
    );
    expect(lend('borrow', tokens, setting).map(({ code }) => code)).toEqual(codes);
  });

  it.each([
    ['5', []],
    ['5.000001', ['BORROW_LIMIT_EXCEEDED']],
  ])('counts debts against collateral in a group as a refresh does: %s', (tokens, codes) => {
    const setting: LendingSetting = {
      reserves: [
        { config: { elevationGroups: Uint8Array.of(1) } },
        {
          // 100 are counted, 40 of them for this obligation, which owes 100 by now: 160 after a refresh.
          change: { borrowedAmountsAgainstThisReserveInElevationGroups: [100_000_000n] },
          config: {
            elevationGroups: Uint8Array.of(1),
            borrowLimitAgainstThisCollateralInElevationGroup: [165_000_000n],
          },
        },
      ],
      market: {
        elevationGroups: [
          {
            id: 1,
            ltvPct: 90,
            liquidationThresholdPct: 93,
            allowNewLoans: 1,
            maxReservesAsCollateral: 8,
            debtReserve: reserveAddress(0),
          },
        ],
      },
      change: {
        elevationGroup: 1,
        deposits: [
          {
            depositReserve: reserveAddress(1),
            depositedAmount: 1_000_000_000n,
            borrowedAmountAgainstThisCollateralInElevationGroup: 40_000_000n,
          },
        ],
        borrows: [owed(100_000_000n)],
      },
    };
    expect(lend('borrow', tokens, setting).map(({ code }) => code)).toEqual(codes);
  });
});
