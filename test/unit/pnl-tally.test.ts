import { Rational } from '@sluice/protocol/numeric/rational';
import { describe, expect, it } from 'vitest';
import { Tally } from '../../src/domain/pnl/tally.ts';

describe('Tally', () => {
  it('is exact for decimals', () => {
    const tally = new Tally();
    for (let i = 0; i < 10; i += 1) tally.add(Rational.of(1n, 10n ** 40n));
    tally.add(Rational.of(-3n));
    expect(tally.value().compare(Rational.of(1n - 3n * 10n ** 39n, 10n ** 39n))).toBe(0);
  });

  it('keeps a short denominator for many different ones', () => {
    const tally = new Tally();
    // Adds and subtracts a year of different prices: rounding cancels out.
    for (let price = 1_000_001n; price < 1_001_001n; price += 2n) tally.add(Rational.of(7n, price));
    expect(String(tally.value().d).length).toBeLessThan(70);
    for (let price = 1_000_001n; price < 1_001_001n; price += 2n) tally.add(Rational.of(-7n, price));
    expect(tally.value().isZero).toBe(true);
  });
});
