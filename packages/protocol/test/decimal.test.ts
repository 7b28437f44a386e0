import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseDecimal,
  placePoint,
  roundParts,
  roundToPublished,
  roundToStored,
  toDecimalJson,
  toDecimalString,
  toStoredDecimal,
} from '../src/numeric/decimal.ts';
import {
  fromBigScaledFraction,
  fromScaledFraction,
  toBigScaledFraction,
  toScaledFraction,
  U128_MAX,
} from '../src/numeric/fraction.ts';
import { Rational, sum, ZERO } from '../src/numeric/rational.ts';
import { significantDigits } from './support/numbers.ts';

const PLAIN = /^-?(0|[1-9]\d*)(\.\d*[1-9])?$/;
const anyInteger = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n });
const positive = fc.bigInt({ min: 1n, max: 2n ** 200n });
const scaleOf = (text: string) => 10n ** BigInt(text.split('.')[1]?.length ?? 0);

describe('decimal strings', () => {
  it.each([
    [Rational.of(0n), '0'],
    [Rational.of(-0n, 7n), '0'],
    [Rational.of(1n, 8n), '0.125'],
    [Rational.of(-3n, 2n), '-1.5'],
    [Rational.of(100n), '100'],
    [Rational.of(100n, 10n), '10'],
    [Rational.of(1n, 3n), `0.${'3'.repeat(34)}`],
    [Rational.of(2n, 3n), `0.${'6'.repeat(33)}7`],
    [Rational.of(-2_000n, 3n), `-666.${'6'.repeat(30)}7`],
    [Rational.of(1n, 10n ** 40n), `0.${'0'.repeat(39)}1`],
    [Rational.of(-1n, 3n * 10n ** 40n), `-0.${'0'.repeat(40)}${'3'.repeat(34)}`],
    [Rational.of(1n, 10n ** 400n), `0.${'0'.repeat(399)}1`],
    [fromScaledFraction(1n), '0.0000000000000000008673617379884035472059622406959534'],
    [Rational.of(10n ** 34n - 1n), '9'.repeat(34)],
    [Rational.of(10n ** 40n + 1n), `1${'0'.repeat(40)}`],
    [Rational.of(-(12n * 10n ** 400n) - 1n, 10n), `-12${'0'.repeat(399)}`],
    [Rational.of(2n ** 128n - 1n), '340282366920938463463374607431768200000'],
    [Rational.of(10n ** 340n + 1n, 10n ** 330n), `1${'0'.repeat(10)}`],
  ])('prints %s in plain notation', (value, text) => {
    expect(toDecimalString(value)).toBe(text);
    expect(toDecimalJson(value)).toBe(`"${text}"`);
    expect(roundToPublished(value).equals(Rational.of(BigInt(text.replace('.', '')), scaleOf(text)))).toBe(
      true,
    );
  });

  const ONES = '1'.repeat(33);
  it.each([
    ['a tie down to an even digit', `1.${ONES.slice(1)}45`, `1.${ONES.slice(1)}4`],
    ['a tie up to an even digit', `1.${ONES.slice(1)}55`, `1.${ONES.slice(1)}6`],
    ['just above a tie up', `1.${ONES.slice(1)}450000001`, `1.${ONES.slice(1)}5`],
    ['just below a tie down', `1.${ONES.slice(1)}549999999`, `1.${ONES.slice(1)}5`],
    ['a negative tie to even', `-1.${ONES.slice(1)}45`, `-1.${ONES.slice(1)}4`],
    ['34 nines and a five up to one digit', `0.${'9'.repeat(34)}5`, '1'],
    ['34 nines and a four down', `0.${'9'.repeat(34)}4`, `0.${'9'.repeat(34)}`],
    ['a carry into a new whole digit', `99.${'9'.repeat(33)}`, '100'],
    ['a tie left of the decimal point', `${ONES}45`, `${ONES}40`],
    ['zeros away', '1.500', '1.5'],
  ])('rounds %s', (_, text, rounded) => {
    expect(toDecimalString(parseDecimal(text))).toBe(rounded);
  });

  it('prints the same text whatever the representation', () => {
    fc.assert(
      fc.property(anyInteger, positive, positive, (n, d, factor) => {
        expect(toDecimalString(Rational.of(n * factor, d * factor))).toBe(toDecimalString(Rational.of(n, d)));
      }),
    );
  });

  it('rounds a value to its published text', () => {
    fc.assert(
      fc.property(anyInteger, positive, (n, d) => {
        const value = Rational.of(n, d);
        expect(roundToPublished(value).equals(parseDecimal(toDecimalString(value)))).toBe(true);
      }),
    );
  });

  it('round-trips every decimal of at most 34 digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 34n) + 1n, max: 10n ** 34n - 1n }),
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

  it('has 34 digits at most, and is within half a unit of the last for every quotient', () => {
    fc.assert(
      fc.property(anyInteger, positive, (n, d) => {
        const value = Rational.of(n, d);
        const text = toDecimalString(value);
        expect(text).toMatch(PLAIN);
        expect(significantDigits(text)).toBeLessThanOrEqual(34);
        // Half a unit of the 34th digit is at most 5e-34 of the value.
        const allowed = value.abs().mul(Rational.of(5n, 10n ** 34n));
        expect(parseDecimal(text).sub(value).abs().compare(allowed)).toBeLessThanOrEqual(0);
      }),
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

describe('parts', () => {
  it('are rounded to the places that their sum has in 34 digits', () => {
    const third = Rational.of(1n, 3n);
    const texts = (parts: readonly Rational[]) => roundParts(parts).map(toDecimalString);
    expect(texts([third, third])).toEqual([`0.${'3'.repeat(34)}`, `0.${'3'.repeat(34)}`]);
    expect(texts([third, Rational.of(12_345n)])).toEqual([`0.${'3'.repeat(29)}`, '12345']);
    expect(texts([third, third.neg(), Rational.of(10n ** 33n)])).toEqual(['0', '0', `1${'0'.repeat(33)}`]);
    expect(texts([Rational.of(5n), Rational.of(10n ** 36n)])).toEqual(['0', `1${'0'.repeat(36)}`]);
    expect(texts([ZERO, ZERO])).toEqual(['0', '0']);
    expect(texts([])).toEqual([]);
  });

  it('leave a place for a sum that carries', () => {
    // Each rounds up at the 34th place, and both together would need 35 digits.
    const half = parseDecimal(`0.5${'0'.repeat(33)}6`);
    const parts = roundParts([half, half]);
    expect(parts.map(toDecimalString)).toEqual(['0.5', '0.5']);
    expect(toDecimalString(sum(parts))).toBe('1');
  });

  it('add up to their published sum exactly, with any signs and magnitudes', () => {
    const part = fc
      .tuple(anyInteger, positive, fc.integer({ min: 0, max: 60 }))
      .map(([n, d, shift]) => Rational.of(n, d * 10n ** BigInt(shift)));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (exact) => {
        const parts = roundParts(exact);
        const read = parts.map((each) => parseDecimal(toDecimalString(each)));
        for (let count = 1; count <= parts.length; count += 1) {
          const text = toDecimalString(sum(parts.slice(0, count)));
          expect(significantDigits(text)).toBeLessThanOrEqual(34);
          expect(parseDecimal(text).equals(sum(read.slice(0, count)))).toBe(true);
        }
        const size = sum(exact.map((each) => each.abs()));
        const allowed = size.mul(Rational.of(5n, 10n ** 33n));
        for (const [i, each] of parts.entries()) {
          const error = each.sub(exact[i] ?? ZERO).abs();
          expect(error.compare(allowed)).toBeLessThanOrEqual(0);
        }
      }),
    );
  });
});

describe('stored decimals', () => {
  it('have 30 places', () => {
    expect(toStoredDecimal(Rational.of(2n, 3n))).toBe(`0.${'6'.repeat(29)}7`);
    expect(toStoredDecimal(Rational.of(200_000_000_000n, 3n))).toBe(`66666666666.${'6'.repeat(29)}7`);
    expect(toStoredDecimal(Rational.of(1n, 10n ** 31n))).toBe('0');
    expect(roundToStored(Rational.of(2n, 3n)).equals(parseDecimal(`0.${'6'.repeat(29)}7`))).toBe(true);
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
