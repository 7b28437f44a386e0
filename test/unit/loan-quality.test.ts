import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import {
  averageLtv,
  LoanTally,
  ofDeposits,
  type TalliedLoan,
  weightedLtv,
} from '../../src/domain/risk/loan-quality.ts';

const usd = (amount: number) => BigInt(amount) * FRACTION_ONE;

/** A loan in whole USD. */
const loan = (deposited: number, debt: number, allowed: number, isLiquidatable = false): TalliedLoan => ({
  depositedSf: usd(deposited),
  borrowedSf: usd(debt / 2),
  factoredSf: usd(debt),
  isLiquidatable,
  refreshed: () => ({ allowedSf: usd(allowed) }),
});

describe('loans of a market', () => {
  it('add up, each with its state, and without those of unknown value', () => {
    const tally = new LoanTally();
    for (const each of [
      loan(400, 100, 300),
      loan(100, 50, 50),
      loan(200, 150, 140),
      loan(100, 100, 70, true),
      loan(0, 40, 0),
      'PRICE_UNKNOWN' as const,
    ]) {
      tally.add(each);
    }
    const { totals } = tally;
    expect(totals).toMatchObject({
      loans: 5,
      unvalued: 1,
      ltvCount: 4,
      // Debt up to what may be borrowed is no risk; a debt without deposits is above it.
      byStatus: { HEALTHY: 2, AT_RISK: 2, LIQUIDATABLE: 1 },
    });
    const { depositedUsd, borrowedUsd, factoredUsd, maxLtv } = totals;
    expect([depositedUsd, borrowedUsd, factoredUsd, maxLtv].map((each) => each.toNumber())).toEqual([
      800, 220, 440, 1,
    ]);
    // (0.25 + 0.5 + 0.75 + 1) / 4, and 440 / 800.
    expect([averageLtv(totals), weightedLtv(totals)].map((each) => each.toNumber())).toEqual([0.625, 0.55]);
  });

  it('of which there are none have ratios of zero', () => {
    const { totals } = new LoanTally();
    expect([averageLtv(totals), weightedLtv(totals), totals.maxLtv].map((each) => each.toNumber())).toEqual([
      0, 0, 0,
    ]);
  });

  it('have no LTV without deposits', () => {
    expect(ofDeposits(loan(0, 40, 0), usd(40))).toBeNull();
    expect(ofDeposits(loan(400, 100, 300), usd(300))?.toNumber()).toBe(0.75);
  });
});
