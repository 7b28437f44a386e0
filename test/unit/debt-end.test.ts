import { FRACTION_ONE } from '@sluice/protocol/numeric/fraction';
import { describe, expect, it } from 'vitest';
import {
  type DebtEnd,
  debtEnds,
  endedDebtScaled,
  isLiquidatedWhole,
  rolloverFrom,
} from '../../src/domain/debt-end.ts';
import { debtEndInWords } from '../../src/domain/debt-end-words.ts';
import { debtTermKind, hasFixedRate } from '../../src/domain/debt-terms.ts';

const DAY = 86_400n;
const BORROWED = 1_780_000_000n;
const MARKET = {
  matureReserveDebtLiquidationEnabled: 1,
  obligationBorrowDebtTermLiquidationEnabled: 1,
  termBasedFullLiquidationDurationSecs: 10n * DAY,
};
const OPEN = { debtTermSeconds: 0n, debtMaturityTimestamp: 0n };
const debt = { lastBorrowedAtTimestamp: BORROWED };

describe('ends of a debt', () => {
  it('are its term and the maturity of the reserve, the earlier one first', () => {
    const at = BORROWED + 30n * DAY;
    const term: DebtEnd = { cause: 'TERM', at, liquidatableFrom: at, wholeFrom: at + 10n * DAY };
    const maturityAt = (when: bigint): DebtEnd => ({
      cause: 'MATURITY',
      at: when,
      liquidatableFrom: when,
      wholeFrom: when,
    });
    const ends = (debtTermSeconds: bigint, debtMaturityTimestamp: bigint) =>
      debtEnds(MARKET, { debtTermSeconds, debtMaturityTimestamp }, debt);
    expect(ends(30n * DAY, 0n)).toEqual([term]);
    expect(ends(0n, at - 1n)).toEqual([maturityAt(at - 1n)]);
    expect(ends(30n * DAY, at - 1n)).toEqual([maturityAt(at - 1n), term]);
    expect(ends(30n * DAY, at + 1n)).toEqual([term, maturityAt(at + 1n)]);
    expect(ends(0n, 0n)).toEqual([]);
  });

  it('are not liquidated where the market has it switched off, and unknown without the time of the borrow', () => {
    const off = {
      ...MARKET,
      matureReserveDebtLiquidationEnabled: 0,
      obligationBorrowDebtTermLiquidationEnabled: 0,
    };
    const both = { debtTermSeconds: DAY, debtMaturityTimestamp: BORROWED };
    expect(debtEnds(off, both, debt)).toMatchObject([
      { cause: 'MATURITY', liquidatableFrom: null, wholeFrom: null },
      { cause: 'TERM', liquidatableFrom: null, wholeFrom: null },
    ]);
    expect(debtEnds(MARKET, both, { lastBorrowedAtTimestamp: 0n })).toMatchObject([{ cause: 'MATURITY' }]);
  });
});

describe('what one liquidation may settle after the end', () => {
  const end: DebtEnd = { cause: 'TERM', at: 1_000n, liquidatableFrom: 1_000n, wholeFrom: 2_000n };
  const settled = (timestamp: bigint, owed: bigint, borrowedAmountAtExpiration = 0n) =>
    endedDebtScaled(end, { borrowedAmountAtExpiration }, owed * FRACTION_ONE, timestamp);

  it('grows evenly from nothing to all of it', () => {
    expect(settled(999n, 400n, 400n)).toBe(0n);
    expect(settled(1_000n, 400n, 400n)).toBe(0n);
    // A quarter of the time has passed: three quarters of what was owed at the end stay, and the interest since is due.
    expect(settled(1_250n, 404n, 400n)).toBe(104n * FRACTION_ONE);
    expect(settled(1_999n, 404n, 400n)).toBe(404n * FRACTION_ONE - (400n * FRACTION_ONE) / 1_000n);
    expect(settled(2_000n, 404n, 400n)).toBe(404n * FRACTION_ONE);
    // What was repaid since counts as the first part.
    expect(settled(1_250n, 200n, 400n)).toBe(0n);
  });

  it('counts from the next whole base unit when no refresh has stored the debt at the end', () => {
    const owedSf = 400n * FRACTION_ONE + 1n;
    const kept = (401n * FRACTION_ONE * 750n) / 1_000n;
    expect(endedDebtScaled(end, { borrowedAmountAtExpiration: 0n }, owedSf, 1_250n)).toBe(owedSf - kept);
  });

  it('is all of it at once without a time for it, and nothing where it is switched off', () => {
    const owedSf = 5n * FRACTION_ONE;
    const stored = { borrowedAmountAtExpiration: 4n };
    expect(endedDebtScaled({ ...end, wholeFrom: 1_000n }, stored, owedSf, 1_000n)).toBe(owedSf);
    const off = { ...end, liquidatableFrom: null, wholeFrom: null };
    expect(endedDebtScaled(off, stored, owedSf, 9_000n)).toBe(0n);
  });

  it('is whole for a debt below the minimum of the market', () => {
    const market = { minFullLiquidationValueThreshold: 2n };
    expect(isLiquidatedWhole(market, 2n * FRACTION_ONE - 1n)).toBe(true);
    expect(isLiquidatedWhole(market, 2n * FRACTION_ONE)).toBe(false);
  });
});

describe('the time from which a debt can be rolled over', () => {
  const market = {
    fixedTermRolloverWindowDurationSeconds: 7n * DAY,
    openTermRolloverWindowDurationSeconds: 3n * DAY,
  };
  const own = {
    autoRolloverEnabled: 1,
    openTermAllowed: 0,
    migrationToFixedEnabled: 0,
    fixedTermRolloverWindowDurationDays: 0,
    maxBorrowRateBps: 900,
    minDebtTermSeconds: DAY,
  };
  const term = { debtTermSeconds: 30n * DAY };
  const daysBefore = (terms: Partial<typeof own>, windows: Partial<typeof market> = {}) => {
    const stored = { ...debt, fixedTermBorrowRolloverConfig: { ...own, ...terms } };
    const from = rolloverFrom({ ...market, ...windows }, term, stored);
    return from === null ? null : (BORROWED + 30n * DAY - from) / DAY;
  };

  it('is the start of the widest window that the owner allows', () => {
    expect(daysBefore({})).toBe(7n);
    expect(daysBefore({ fixedTermRolloverWindowDurationDays: 20 })).toBe(20n);
    expect(daysBefore({ openTermAllowed: 1, fixedTermRolloverWindowDurationDays: 2 })).toBe(3n);
    expect(daysBefore({ openTermAllowed: 1, minDebtTermSeconds: 0n })).toBe(3n);
  });

  it('is never without a permission, a window or a term', () => {
    expect(daysBefore({ autoRolloverEnabled: 0 })).toBeNull();
    expect(daysBefore({ minDebtTermSeconds: 0n })).toBeNull();
    expect(daysBefore({}, { fixedTermRolloverWindowDurationSeconds: 0n })).toBeNull();
    // The owner's own days count only where the market has the rollover switched on.
    expect(
      daysBefore({ fixedTermRolloverWindowDurationDays: 9 }, { fixedTermRolloverWindowDurationSeconds: 0n }),
    ).toBeNull();
    const stored = { ...debt, fixedTermBorrowRolloverConfig: own };
    expect(rolloverFrom(market, { debtTermSeconds: 0n }, stored)).toBeNull();
  });
});

describe('the end in words', () => {
  const at = 1_780_000_000n;
  const end: DebtEnd = { cause: 'TERM', at, liquidatableFrom: at, wholeFrom: at + 3n * DAY };
  it.each([
    [
      end,
      at - 1n,
      'The term of the debt ends on 28 May 2026 at 20:26 UTC. From then on anyone may liquidate a part that grows to all of it in 3 days, however healthy the loan is. Repay it or roll it over before.',
    ],
    [
      end,
      at,
      'The term of the debt ended on 28 May 2026 at 20:26 UTC. Anyone may liquidate a part that grows to all of it in 3 days, however healthy the loan is. Repay it or roll it over.',
    ],
    [
      { ...end, cause: 'MATURITY', wholeFrom: at },
      at + 5n,
      'The reserve matured on 28 May 2026 at 20:26 UTC. Anyone may liquidate all of it, however healthy the loan is. Repay it.',
    ],
    [
      { ...end, liquidatableFrom: null, wholeFrom: null },
      at - 5n,
      'The term of the debt ends on 28 May 2026 at 20:26 UTC. From then on nothing more can be borrowed on it; the market has switched off liquidations for this reason, and interest goes on.',
    ],
    [
      { ...end, cause: 'MATURITY', at: 1n << 63n, liquidatableFrom: null, wholeFrom: null },
      at,
      'The reserve matures on 13 September 275760 at 00:00 UTC. From then on nothing more can be borrowed; the market has switched off liquidations for this reason, and interest goes on.',
    ],
  ] as const satisfies readonly (readonly [DebtEnd, bigint, string])[])('%#', (each, now, words) => {
    expect(debtEndInWords(each, now)).toBe(words);
  });
});

describe('terms of a reserve', () => {
  it('are open, fixed or a maturity', () => {
    expect(debtTermKind(OPEN)).toBe('OPEN_TERM');
    expect(debtTermKind({ ...OPEN, debtMaturityTimestamp: 5n })).toBe('MATURITY');
    expect(debtTermKind({ debtTermSeconds: 1n, debtMaturityTimestamp: 5n })).toBe('FIXED_TERM');
  });

  it('have a fixed rate when all points of the curve have one', () => {
    const curve = (...rates: readonly number[]) => ({
      borrowRateCurve: { points: rates.map((borrowRateBps) => ({ borrowRateBps, utilizationRateBps: 0 })) },
    });
    expect(hasFixedRate(curve(500, 500, 500))).toBe(true);
    expect(hasFixedRate(curve(500, 500, 501))).toBe(false);
  });
});
