import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDecimal, placePoint, roundToPublished, toDecimalString } from '../../src/numeric/decimal.ts';
import {
  fromBigScaledFraction,
  fromScaledFraction,
  toBigScaledFraction,
  toScaledFraction,
  U128_MAX,
} from '../../src/numeric/fraction.ts';
import { Rational, sum } from '../../src/numeric/rational.ts';

const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;

describe('decimal strings', () => {
  it.each([
    [Rational.of(0n), '0'],
    [Rational.of(-0n, 7n), '0'],
    [Rational.of(1n, 8n), '0.125'],
    [Rational.of(-3n, 2n), '-1.5'],
    [Rational.of(100n), '100'],
    [Rational.of(1n, 3n), '0.333333333333333333333333333333'],
    [Rational.of(2n, 3n), '0.666666666666666666666666666667'],
    [Rational.of(-1n, 3n * 10n ** 40n), '0'],
    [Rational.of(1n, 10n ** 35n), `0.${'0'.repeat(34)}1`],
    [fromScaledFraction(1n), '0.000000000000000000867361737988403547205962240695953369140625'],
  ])('prints %s in plain notation', (value, text) => {
    expect(toDecimalString(value)).toBe(text);
  });

  it('rounds a value to its published text, and leaves finite decimals unchanged', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
        fc.bigInt({ min: 1n, max: 2n ** 100n }),
        (n, d) => {
          const value = Rational.of(n, d);
          expect(roundToPublished(value).equals(parseDecimal(toDecimalString(value)))).toBe(true);
        },
      ),
    );
    for (const denominator of [2n ** 31n, 2n ** 90n, 5n ** 31n, 5n ** 40n, 3n * 2n ** 31n]) {
      const finite = Rational.of(3n, denominator);
      expect(roundToPublished(finite).equals(finite)).toBe(true);
    }
  });

  it('round-trips every finite decimal in plain notation', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }),
        fc.integer({ min: 0, max: 70 }),
        (n, places) => {
          const value = Rational.of(n, 10n ** BigInt(places));
          const text = toDecimalString(value);
          expect(text).toMatch(PLAIN);
          expect(parseDecimal(text).equals(value)).toBe(true);
          expect(placePoint(n, places)).toBe(text);
        },
      ),
    );
  });

  it('is within half a unit of the 30th place for every quotient', () => {
    const half = Rational.of(1n, 2n * 10n ** 30n);
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 100n), max: 2n ** 100n }),
        fc.bigInt({ min: 1n, max: 2n ** 100n }),
        (n, d) => {
          const value = Rational.of(n, d);
          const text = toDecimalString(value);
          expect(text).toMatch(PLAIN);
          expect(parseDecimal(text).sub(value).abs().compare(half)).toBeLessThanOrEqual(0);
        },
      ),
    );
  });

  it('publishes parts that add up to their published sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.bigInt({ min: 1n, max: 10n ** 12n }))),
        (pairs) => {
          const parts = pairs.map(([n, d]) => roundToPublished(Rational.of(n, d)));
          const total = parseDecimal(toDecimalString(sum(parts)));
          expect(total.equals(sum(parts.map((part) => parseDecimal(toDecimalString(part)))))).toBe(true);
        },
      ),
    );
  });

  it.each([
    '',
    ' 1',
    '1 ',
    '+1',
    '1e5',
    '.5',
    '5.',
    '0x10',
    'NaN',
    '1,5',
    '1.5.5',
    '--1',
    '٣',
    '1'.repeat(401),
  ])('rejects %j', (text) => {
    expect(() => parseDecimal(text)).toThrow(expect.objectContaining({ code: 'DECIMAL_INVALID' }));
  });
});

describe('scaled fractions', () => {
  it('round-trip exactly', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: U128_MAX }), (sf) => {
        expect(toScaledFraction(fromScaledFraction(sf))).toBe(sf);
      }),
    );
  });

  it('of 256 bits round-trip exactly', () => {
    const limb = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(fc.tuple(limb, limb, limb, limb), (limbs) => {
        expect(toBigScaledFraction(fromBigScaledFraction(limbs))).toEqual(limbs);
      }),
    );
  });
});
