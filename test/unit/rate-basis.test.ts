import { integer, Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { compounded, fixed } from '../../packages/localnet/test/support/lending/program-state.ts';
import { lamportsWithMargin } from '../../src/builders/lending/repay.ts';
import { NO_TERMS } from '../../src/domain/interest.ts';
import type { Moment } from '../../src/domain/moment.ts';
import { interestRateBasis, unitsPerYear, unitsWithin } from '../../src/domain/rate-basis.ts';
import { refreshReserve } from '../../src/domain/refreshed-reserve.ts';
import { NOW, usualReserve } from '../support/domain/domain-accounts.ts';

const [PER_SLOT, PER_SECOND] = [0, 1];
const FLAT = Array.from({ length: 11 }, (_, i) => ({
  utilizationRateBps: i === 0 ? 0 : 10_000,
  borrowRateBps: 700,
}));

const reserveOf = (interestRateBasis: number) =>
  usualReserve(600_000_000_000n, { config: { interestRateBasis, borrowRateCurve: { points: FLAT } } });
const slotsOf = (slotDurationMs: Rational, slotDurationAssumed?: boolean): Moment => ({
  ...NOW,
  slotDurationMs,
  slotDurationAssumed,
});

describe('a basis that no release knows', () => {
  const config = { ...reserveOf(PER_SLOT).config, interestRateBasis: 7 };

  it.each([interestRateBasis, unitsPerYear])('is an error and not a guess', (rule) => {
    expect(() => rule(config)).toThrow(
      expect.objectContaining({
        code: 'ACCOUNT_MALFORMED',
        context: { account: 'Reserve', reason: 'its interest rate basis 7 is unknown' },
      }),
    );
  });
});

describe('units that may pass in two and a half minutes', () => {
  it.each([
    ['slots as long as the rates assume', PER_SLOT, slotsOf(integer(500)), 300n],
    // 150,000 / 268.5 = 558.66
    ["mainnet's slots of September 2026", PER_SLOT, slotsOf(Rational.of(2_685n, 10n)), 559n],
    ['slots of unknown length', PER_SLOT, slotsOf(integer(400), true), 750n],
    ['no slot length at all', PER_SLOT, slotsOf(integer(0)), 750n],
    ['seconds, whatever the slots', PER_SECOND, slotsOf(integer(268)), 150n],
  ] as const)('%s', (_, basis, moment, units) => {
    const { config } = reserveOf(basis);
    expect(unitsWithin(config, 150n, moment)).toBe(units);
  });

  it.each([
    [PER_SLOT, 560n, 63_072_000n],
    [PER_SECOND, 150n, 31_536_000n],
  ] as const)('decide how much SOL a full repayment wraps, basis %i', (basis, units, perYear) => {
    const moment = slotsOf(integer(268));
    const accrued = refreshReserve(reserveOf(basis), moment, NO_TERMS);
    const owed = 10n ** 15n;
    const grown = fixed.ceil(owed * compounded(fixed.bps(700), units, perYear));
    expect(lamportsWithMargin(accrued, integer(owed), moment)).toBe(grown);
  });
});
