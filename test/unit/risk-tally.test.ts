import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import type { LiquidationReason } from '../../src/domain/liquidation-reason.ts';
import { DebtEndTally } from '../../src/domain/risk/debt-end-tally.ts';
import { Largest } from '../../src/domain/risk/largest.ts';
import { RiskTally, type ValuedLoan } from '../../src/domain/risk/risk-tally.ts';
import { addressNumber } from '../support/builders/lending-accounts.ts';

const NO_TERM = { lastBorrowedAtTimestamp: 0n, borrowedAmountAtExpiration: 0n };
const usd = (value: number) => BigInt(value) * FRACTION_ONE;

/** A loan with deposits of these values, each counting to 80 %. */
function outcome(
  deposits: readonly number[],
  debt: number,
  isLiquidatable: boolean,
  reason: LiquidationReason = 'UNHEALTHY',
): ValuedLoan {
  const deposited = deposits.reduce((sum, each) => sum + each, 0);
  const refreshed = {
    deposits: deposits.map((value, i) => ({
      reserve: addressNumber(i),
      collateral: 1n,
      valueSf: usd(value),
      ltvPct: 75,
      thresholdPct: 80,
    })),
    debts: [{ reserve: addressNumber(9), amountSf: 1n, valueSf: usd(debt), ...NO_TERM }],
    depositedSf: usd(deposited),
    allowedSf: (usd(deposited) * 75n) / 100n,
    unhealthySf: (usd(deposited) * 80n) / 100n,
    borrowedSf: usd(debt),
    factoredSf: usd(debt),
  };
  return {
    ...refreshed,
    refreshed: () => refreshed,
    endingDebts: () => [],
    isLiquidatable,
    liquidatableFor: isLiquidatable ? reason : null,
  };
}

const loan = (...reserves: number[]) => ({
  elevationGroup: 0,
  deposits: reserves.map((reserve) => ({ reserve, collateral: 1n })),
  debts: [{ reserve: 9, amountSf: 1n, rateSf: 1n, ...NO_TERM }],
});

describe('the tally of a scenario', () => {
  it('divides the debt of a loan among its deposits by value', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0, 1), outcome([600, 400], 900, true));
    tally.add(1, loan(1), outcome([100], 90, true));
    expect(tally.liquidatable).toEqual({
      loans: 2,
      debtSf: usd(990),
      collateralSf: usd(1_100),
      badDebtSf: 0n,
    });
    expect(tally.byCollateral.get(0)).toEqual({
      loans: 1,
      debtSf: usd(540),
      collateralSf: usd(600),
      badDebtSf: 0n,
    });
    expect(tally.byCollateral.get(1)).toEqual({
      loans: 2,
      debtSf: usd(450),
      collateralSf: usd(500),
      badDebtSf: 0n,
    });
  });

  it('loses nothing to rounding', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0, 1, 2), outcome([1, 1, 1], 100, true));
    const parts = [...tally.byCollateral.values()].map(({ debtSf }) => debtSf);
    expect(parts.reduce((sum, each) => sum + each, 0n)).toBe(usd(100));
  });

  it('counts debt beyond the collateral as bad, also of loans that nobody can liquidate', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0), outcome([100], 130, true));
    tally.add(1, loan(), outcome([], 7, false));
    expect([tally.badDebtLoans, tally.liquidatable.badDebtSf]).toEqual([2, usd(37)]);
    expect(tally.byCollateral.get(0)?.badDebtSf).toBe(usd(30));
    expect(tally.liquidatable.loans).toBe(1);
  });

  it('has bad debt as a part of the debt at risk, also of loans without anything to seize', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0), outcome([1_000], 900, true));
    tally.add(1, loan(0), outcome([100], 130, true));
    tally.add(2, loan(), outcome([], 700, false));
    tally.add(3, loan(0), outcome([1_000], 10, false));
    expect(tally.atRisk).toEqual({ loans: 3, debtSf: usd(900 + 130 + 700) });
    expect(tally.liquidatable.badDebtSf).toBe(usd(30 + 700));
    expect(tally.largestAtRisk().map(({ loan: number }) => number)).toEqual([0, 2, 1]);
  });

  it('counts healthy loans that can be liquidated for the end of a debt apart, and in the total', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0), outcome([100], 20, true, 'TERM'));
    tally.add(1, loan(0), outcome([100], 30, true, 'MATURITY'));
    tally.add(2, loan(0), outcome([100], 90, true));
    tally.add(3, loan(0), outcome([100], 10, false));
    expect(tally.endedOnly).toEqual({ loans: 2, debtSf: usd(50), collateralSf: usd(200) });
    expect(tally.liquidatable).toMatchObject({ loans: 3, debtSf: usd(140) });
  });

  it('sorts loans by health', () => {
    const tally = new RiskTally();
    // 80 % of the collateral divided by the debt: 0.8, 1, 1.04, 1.06, 1.2, 1.4, 1.6, 2.5 and 8.
    for (const [i, debt] of [1_000, 800, 769, 754, 666, 571, 500, 320, 100].entries()) {
      tally.add(i, loan(0), outcome([1_000], debt, debt >= 800));
    }
    expect(tally.health.map(({ loans }) => loans)).toEqual([1, 2, 1, 1, 1, 1, 1, 1]);
    expect(tally.health[0]?.debtSf).toBe(usd(1_000));
  });

  it('counts what cannot be valued by reason and nowhere else', () => {
    const tally = new RiskTally();
    tally.add(0, loan(0), 'PRICE_UNKNOWN');
    tally.add(1, loan(0), 'PRICE_UNKNOWN');
    tally.add(2, loan(0), 'RESERVE_UNREADABLE');
    expect(tally.unvalued).toEqual(
      new Map([
        ['PRICE_UNKNOWN', 2],
        ['RESERVE_UNREADABLE', 1],
      ]),
    );
    expect(tally.valued.loans).toBe(0);
    expect(tally.health.every(({ loans }) => loans === 0)).toBe(true);
  });
});

describe('the debts that end', () => {
  it('are added up by the days that are left, at most so many', () => {
    const [now, day] = [1_780_000_000n, 86_400n];
    const tally = new DebtEndTally(now);
    const ends = [-1n, 0n, 1n, day, day + 1n, 7n * day, 30n * day, 90n * day, 90n * day + 1n];
    tally.add({ endingDebts: () => ends.map((each) => ({ at: now + each, valueSf: usd(1) })) });
    tally.add({ endingDebts: () => [] });
    tally.add({ endingDebts: () => [{ at: now - 5n, valueSf: usd(10) }] });
    expect(tally.counts.map(({ debts }) => debts)).toEqual([3, 2, 2, 1, 1, 1]);
    expect(tally.counts[0]?.valueSf).toBe(usd(12));
  });
});

describe('the largest of many', () => {
  it('are found in order, whatever the order in which they come', () => {
    const largest = new Largest<number>(3, BigInt);
    for (const each of [5, 1, 9, 7, 3, 8, 2, 6, 4, 9]) largest.add(each);
    expect(largest.sorted()).toEqual([9, 9, 8]);
  });
});
