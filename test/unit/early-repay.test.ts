import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import { earlyRepayPenalty } from '../../src/domain/early-repay.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { NOW, type ReserveInput, usualReserve } from '../support/domain/domain-accounts.ts';

const TERM_SECONDS = 2_592_000n;
const BORROWED = { lastBorrowedAtTimestamp: NOW.timestamp - 600_000n };
const SETTLED_SF = 400_000_000_000n * FRACTION_ONE;
const [SLOTS, SECONDS] = [0, 1];

/** A flat curve of 8 %, a host rate of 0.5 % and a rate that divides nothing evenly, refreshed at this moment. */
function termReserve(interestRateBasis: number, config: ReserveInput['config'] = {}) {
  const flat = Array.from({ length: 11 }, (_, i) => ({
    utilizationRateBps: i === 0 ? 0 : 10_000,
    borrowRateBps: 800,
  }));
  const account = usualReserve(600_000_000_000n, {
    liquidity: { cumulativeBorrowRateBsf: { value: [1_500_000_000_000_000_001n, 0n, 0n, 0n] } },
    config: {
      interestRateBasis,
      debtTermSeconds: TERM_SECONDS,
      earlyRepayRemainingInterestPct: 50,
      hostFixedInterestRateBps: 50,
      borrowRateCurve: { points: flat },
      ...config,
    },
  });
  return refreshReserve(account, NOW, NO_TERMS);
}

describe('penalty of repaying a fixed-term debt early', () => {
  // Worked examples, computed in integers from the source of the program.
  it.each([
    [SLOTS, 33, 710_627_465n],
    [SLOTS, 50, 1_076_708_280n],
    [SLOTS, 100, 2_153_416_559n],
    [SECONDS, 33, 710_627_465n],
    [SECONDS, 50, 1_076_708_279n],
    [SECONDS, 100, 2_153_416_558n],
  ])('basis %i, %i %% of the remaining interest: %i base units', (basis, pct, penalty) => {
    const reserve = termReserve(basis, { earlyRepayRemainingInterestPct: pct });
    expect(earlyRepayPenalty(reserve, BORROWED, SETTLED_SF)).toBe(penalty);
  });

  it.each([SLOTS, SECONDS])('counts the fraction of a base unit of the whole debt, basis %i', (basis) => {
    const wholeSf = 123_456_789n * FRACTION_ONE + 12_345_678_901n;
    expect(earlyRepayPenalty(termReserve(basis), BORROWED, wholeSf)).toBe(332_318n);
  });

  it('grows with the remaining time, and ends with the term', () => {
    const reserve = termReserve(SECONDS);
    const at = (secondsAgo: bigint) =>
      earlyRepayPenalty(reserve, { lastBorrowedAtTimestamp: NOW.timestamp - secondsAgo }, SETTLED_SF);
    expect(at(TERM_SECONDS)).toBe(0n);
    // One second: 4e11 * (0.085 / 31,536,000) / 2 = 539.06, rounded up.
    expect(at(TERM_SECONDS - 1n)).toBe(540n);
    // A clock behind the borrow counts the whole term.
    expect(at(-5n)).toBe(at(0n));
    expect(at(0n)).toBeGreaterThan(at(600_000n));
  });

  it.each([
    ['the reserve has no term', { debtTermSeconds: 0n }, BORROWED],
    ['the reserve charges nothing', { earlyRepayRemainingInterestPct: 0 }, BORROWED],
    ['the time of the borrow is unknown', {}, { lastBorrowedAtTimestamp: 0n }],
  ])('is nothing when %s', (_, config, debt) => {
    expect(earlyRepayPenalty(termReserve(SECONDS, config), debt, SETTLED_SF)).toBe(0n);
  });
});
