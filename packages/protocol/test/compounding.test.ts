import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accrualFactorSf, apyDaily, apyPerSlot, SLOTS_PER_YEAR } from '../src/numeric/compounding.ts';
import { parseDecimal, toDecimalString } from '../src/numeric/decimal.ts';
import { FRACTION_ONE, fromScaledFraction } from '../src/numeric/fraction.ts';
import { apyFromApr, power } from '../src/numeric/power.ts';
import { nearestQuotient, ONE, Rational } from '../src/numeric/rational.ts';

const PLACES = 10n ** 30n;
const TOLERANCE = Rational.of(1n, 10n ** 28n);

/** (1 + apr/periods)^periods - 1 by repeated squaring with 1,400 bits: slow, but an independent algorithm. */
function bySquaring(apr: Rational, periods: bigint): Rational {
  const bits = 1_400n;
  let base = Rational.of(
    (ONE.add(apr.div(Rational.of(periods))).n << bits) / ONE.add(apr.div(Rational.of(periods))).d,
  ).n;
  let result = 1n << bits;
  for (let rest = periods; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * base) >> bits;
    base = (base * base) >> bits;
  }
  return Rational.of(result, 1n << bits).sub(ONE);
}

function close(actual: Rational, expected: Rational, tolerance = TOLERANCE): void {
  const error = actual.sub(expected).abs();
  const allowed = expected.abs().max(ONE).mul(tolerance);
  expect(
    error.compare(allowed),
    `${toDecimalString(actual)} is not ${toDecimalString(expected)}`,
  ).toBeLessThanOrEqual(0);
}

describe('APY', () => {
  // Evaluated with an arbitrary-precision calculator (bc -l, scale 60): (1 + r/63072000)^63072000 - 1.
  it.each([
    ['0', '0'],
    ['0.05', '0.051271096355189297343342773894'],
    ['1', '1.718281806910007715125662978791'],
    ['-0.03', '-0.029554466458415663919731725928'],
  ])('of an APR of %s compounded every slot is %s', (apr, apy) => {
    close(apyPerSlot(parseDecimal(apr)), parseDecimal(apy));
  });

  it.each([
    ['typical', -99_999, 300_000],
    ['extreme', -99_999, 50_000_000],
  ])('is correct to all 30 places, for %s rates and any number of periods', (_, min, max) => {
    fc.assert(
      fc.property(
        fc.integer({ min, max }),
        fc.constantFrom(1n, 2n, 12n, 365n, 8760n, SLOTS_PER_YEAR),
        (rate, periods) => {
          const apr = Rational.of(BigInt(rate), 100_000n);
          const expected = bySquaring(apr, periods);
          expect(apyFromApr(apr, periods).n).toBe(nearestQuotient(expected.n * PLACES, expected.d));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('rises with the rate', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 10 ** 6 }),
        (rate, more) => {
          const low = apyDaily(Rational.of(BigInt(rate), 10n ** 9n));
          const high = apyDaily(Rational.of(BigInt(rate + more), 10n ** 9n));
          expect(high.compare(low)).toBe(1);
        },
      ),
    );
  });

  it('of an absurdly high rate is still a number', () => {
    expect(toDecimalString(apyPerSlot(Rational.of(429_496n))).length).toBeGreaterThan(100_000);
  });
});

describe('power', () => {
  it('computes roots', () => {
    close(power(Rational.of(2n), Rational.of(1n, 2n)), parseDecimal('1.41421356237309504880168872421'));
    close(
      power(parseDecimal('1.001'), Rational.of(3650n, 7n)),
      parseDecimal('1.68399345767606471843442356284'),
    );
  });

  it('of a tiny or huge base stays exact', () => {
    const tiny = Rational.of(1n, 10n ** 9n);
    close(power(tiny, Rational.of(2n)), Rational.of(1n, 10n ** 18n));
    close(power(Rational.of(10n ** 18n), Rational.of(1n, 2n)), Rational.of(10n ** 9n));
  });

  it('rejects a base that is not positive', () => {
    expect(() => power(Rational.of(0n), ONE)).toThrow(
      expect.objectContaining({ code: 'NUMBER_OUT_OF_RANGE' }),
    );
    expect(() => power(Rational.of(-1n), ONE)).toThrow(
      expect.objectContaining({ code: 'NUMBER_OUT_OF_RANGE' }),
    );
  });
});

describe('accrual', () => {
  it('is one for zero slots, and compounds with a rounding for each product up to four', () => {
    const rate = (FRACTION_ONE * 3n) / 10n;
    expect(accrualFactorSf(rate, 0n, SLOTS_PER_YEAR)).toBe(FRACTION_ONE);
    const one = FRACTION_ONE + rate / SLOTS_PER_YEAR;
    const squared = (one * one) / FRACTION_ONE;
    expect(accrualFactorSf(rate, 3n, SLOTS_PER_YEAR)).toBe((squared * one) / FRACTION_ONE);
  });

  it('uses three terms of the series beyond four slots', () => {
    // n = 5, b = 1/8: 1 + 5/8 + 10/64 + 10/512, all multiples of 2^-60
    const rate = (FRACTION_ONE * SLOTS_PER_YEAR) / 8n;
    expect(
      fromScaledFraction(accrualFactorSf(rate, 5n, SLOTS_PER_YEAR)).equals(Rational.of(922n, 512n)),
    ).toBe(true);
  });

  it('never shrinks a debt and grows with time and rate', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10_000n }),
        fc.bigInt({ min: 0n, max: 10n ** 8n }),
        (bps, slots) => {
          const rate = (bps * FRACTION_ONE) / 10_000n;
          const factor = accrualFactorSf(rate, slots, SLOTS_PER_YEAR);
          expect(factor).toBeGreaterThanOrEqual(FRACTION_ONE);
          // Between four and five slots the program switches formula and drops terms of order b^4: compare 5 slots apart.
          expect(accrualFactorSf(rate, slots + 5n, SLOTS_PER_YEAR)).toBeGreaterThanOrEqual(factor);
        },
      ),
    );
  });
});
