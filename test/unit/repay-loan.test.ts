import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixed, ReserveState } from '../../packages/localnet/test/support/lending/program-state.ts';
import { loanToRepay } from '../../src/builders/leverage/repay-loan.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { makeReserve, NOW, RESERVES, SLOT } from '../support/domain/domain-accounts.ts';

const TERM_SECONDS = 31_536_000n;
const DEBT = { lastBorrowedAtTimestamp: NOW.timestamp };

/** A term of a year that has just begun, all of whose interest an early repayment pays. */
function termReserve(
  basis: number,
  available: bigint,
  borrowed: bigint,
  rates: readonly number[],
  debtTermSeconds = TERM_SECONDS,
) {
  const [low = 0, middle = 0, high = 0] = rates;
  return makeReserve({
    lastUpdate: { slot: SLOT, timestamp: Number(NOW.timestamp) },
    liquidity: {
      totalAvailableAmount: available,
      borrowedAmountSf: borrowed * FRACTION_ONE,
      cumulativeBorrowRateBsf: { value: [FRACTION_ONE, 0n, 0n, 0n] },
      mintDecimals: 6n,
    },
    collateral: { mintTotalSupply: available + borrowed },
    config: {
      interestRateBasis: basis,
      debtTermSeconds,
      earlyRepayRemainingInterestPct: 100,
      borrowRateCurve: {
        points: Array.from({ length: 11 }, (_, i) => ({
          utilizationRateBps: [0, 8_000][i] ?? 10_000,
          borrowRateBps: [low, middle][i] ?? high,
        })),
      },
    },
  });
}

/** Amount that the repayment takes from the wallet once the loan has left the reserve, by a second implementation. */
function taken(account: ReturnType<typeof termReserve>, loan: bigint, repaid: bigint): bigint {
  const [address] = RESERVES;
  if (address === undefined) throw new Error('no address');
  const state = new ReserveState(address, account);
  state.available -= loan;
  state.borrowed += loan * FRACTION_ONE;
  const future = fixed.mul(state.cumulativeRate, state.growthAhead(TERM_SECONDS));
  const settled = repaid * FRACTION_ONE;
  return repaid + fixed.ceil((settled * future) / state.cumulativeRate - settled);
}

describe('the flash loan of an early repayment', () => {
  it.each([0, 1])('is what the repayment takes under a steep curve, and no unit more, basis %i', (basis) => {
    const repaid = 100_000_000_000n;
    // A sixth of what is added to the loan returns as a higher penalty, which takes many steps to add up.
    const account = termReserve(basis, 600_000_000_000n, 400_000_000_000n, [0, 8_000, 10_000]);
    const loan = loanToRepay(refreshReserve(account, NOW, NO_TERMS), DEBT, repaid, repaid * FRACTION_ONE);
    expect(loan).toBeGreaterThanOrEqual(taken(account, loan, repaid));
    expect(loan - 1n).toBeLessThan(taken(account, loan - 1n, repaid));
    expect(loan).toBeGreaterThan(170_000_000_000n);
  });

  it('covers the repayment under every curve that the program accepts', () => {
    const units = fc.bigInt({ min: 1n, max: 10n ** 13n });
    const rates = fc
      .array(fc.integer({ min: 0, max: 30_000 }), { minLength: 3, maxLength: 3 })
      .map((points) => points.toSorted((a, b) => a - b));
    fc.assert(
      fc.property(
        fc.constantFrom(0, 1),
        units,
        units,
        units,
        rates,
        (basis, available, borrowed, part, points) => {
          const account = termReserve(basis, available, borrowed, points);
          const repaid = part < borrowed ? part : borrowed;
          const loan = loanToRepay(
            refreshReserve(account, NOW, NO_TERMS),
            DEBT,
            repaid,
            repaid * FRACTION_ONE,
          );
          expect(loan).toBeGreaterThanOrEqual(taken(account, loan, repaid));
          if (loan > repaid) expect(loan - 1n).toBeLessThan(taken(account, loan - 1n, repaid));
        },
      ),
    );
  });

  it('is the repayment alone without a term', () => {
    const account = termReserve(1, 10n ** 12n, 10n ** 12n, [0, 800, 1_000], 0n);
    const accrued = refreshReserve(account, NOW, NO_TERMS);
    expect(loanToRepay(accrued, DEBT, 12_345n, 12_345n * FRACTION_ONE)).toBe(12_345n);
  });
});
