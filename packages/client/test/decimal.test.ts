import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Decimal } from '../src/index.ts';

/** An exact fraction: the arithmetic that the results are compared with. */
interface Fraction {
  readonly numerator: bigint;
  /** Positive. */
  readonly denominator: bigint;
}

/** Reads plain notation without a regular expression: digits before and after the point. */
function fractionOf(text: string): Fraction {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const numerator = BigInt(whole + fraction);
  return { numerator: negative ? -numerator : numerator, denominator: 10n ** BigInt(fraction.length) };
}

const same = (text: string, { numerator, denominator }: Fraction): boolean => {
  const result = fractionOf(text);
  return result.numerator * denominator === numerator * result.denominator;
};

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
/** Up to 40 digits before the point and 30 after it, with zeros at either end. */
const decimals = fc
  .tuple(fc.constantFrom('', '-'), digits(1, 40), fc.option(digits(1, 30), { nil: null }))
  .map(([sign, whole, fraction]) => `${sign}${whole}${fraction === null ? '' : `.${fraction}`}`);
const places = fc.integer({ min: 0, max: 40 });

describe('arithmetic', () => {
  it('adds, subtracts and multiplies exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        const [a, b] = [fractionOf(left), fractionOf(right)];
        const denominator = a.denominator * b.denominator;
        const [x, y] = [a.numerator * b.denominator, b.numerator * a.denominator];
        const [first, second] = [Decimal.of(left), Decimal.of(right)];
        expect(same(`${first.plus(second)}`, { numerator: x + y, denominator })).toBe(true);
        expect(same(`${first.minus(second)}`, { numerator: x - y, denominator })).toBe(true);
        const product = { numerator: a.numerator * b.numerator, denominator };
        expect(same(`${first.times(second)}`, product)).toBe(true);
        expect(first.compare(second)).toBe(x < y ? -1 : x > y ? 1 : 0);
        expect(first.equals(second)).toBe(x === y);
        expect(`${Decimal.max(first, second)}`).toBe(`${x < y ? second : first}`);
        expect(`${Decimal.min(first, second)}`).toBe(`${x > y ? second : first}`);
      }),
    );
  });

  it('divides towards zero, to the number of places', () => {
    fc.assert(
      fc.property(decimals, decimals, places, (left, right, count) => {
        const [a, b] = [fractionOf(left), fractionOf(right)];
        fc.pre(b.numerator !== 0n);
        // BigInt division cuts towards zero as well.
        const units = (a.numerator * b.denominator * 10n ** BigInt(count)) / (b.numerator * a.denominator);
        const quotient = Decimal.of(left).dividedBy(Decimal.of(right), count);
        expect(same(`${quotient}`, { numerator: units, denominator: 10n ** BigInt(count) })).toBe(true);
      }),
    );
    expect(`${Decimal.of('1').dividedBy(Decimal.of('3'), 5)}`).toBe('0.33333');
    expect(`${Decimal.of('-2').dividedBy(Decimal.of('3'), 2)}`).toBe('-0.66');
    expect(() => Decimal.of('1').dividedBy(Decimal.of('0.0'), 2)).toThrow(RangeError);
  });

  it('cuts instead of rounding', () => {
    fc.assert(
      fc.property(decimals, places, (text, count) => {
        const { numerator, denominator } = fractionOf(text);
        const units = (numerator * 10n ** BigInt(count)) / denominator;
        const cut = Decimal.of(text).truncated(count);
        expect(same(`${cut}`, { numerator: units, denominator: 10n ** BigInt(count) })).toBe(true);
        expect(cut.places).toBeLessThanOrEqual(count);
      }),
    );
    expect(`${Decimal.of('0.999').truncated(2)}`).toBe('0.99');
    expect(`${Decimal.of('-0.999').truncated(2)}`).toBe('-0.99');
  });

  it('converts between base units and tokens', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.integer({ min: 0, max: 18 }), (units, count) => {
        const tokens = Decimal.fromBaseUnits(units, count);
        expect(same(`${tokens}`, { numerator: units, denominator: 10n ** BigInt(count) })).toBe(true);
        expect(tokens.toBaseUnits(count)).toBe(units);
      }),
    );
    expect(`${Decimal.fromBaseUnits('1500000', 6)}`).toBe('1.5');
    expect(Decimal.of('1.5').toBaseUnits(9)).toBe(1_500_000_000n);
    expect(() => Decimal.of('0.0000001').toBaseUnits(6)).toThrow(RangeError);
    expect(() => Decimal.fromBaseUnits('1.5', 6)).toThrow(RangeError);
  });

  it('sums, negates and drops the sign', () => {
    expect(`${Decimal.sum([])}`).toBe('0');
    expect(`${Decimal.sum(['0.1', '0.2', '-5'].map((text) => Decimal.of(text)))}`).toBe('-4.7');
    expect(`${Decimal.of('-1.50').abs()}`).toBe('1.5');
    expect(`${Decimal.of('1.50').negated()}`).toBe('-1.5');
  });
});

describe('text', () => {
  it('has one form for one number', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        const written = JSON.parse(JSON.stringify(Decimal.of(text))) as string;
        expect(same(written, fractionOf(text))).toBe(true);
        expect(written).toMatch(/^(0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/);
      }),
    );
    expect(`${Decimal.of('-0.00')}`).toBe('0');
    expect(Decimal.of('-0').isNegative).toBe(false);
    expect(`${Decimal.of(-(2n ** 64n))}`).toBe('-18446744073709551616');
  });

  it.each(['', ' ', '1e3', '1,5', '.5', '5.', '+1', '--1', '0x10', 'NaN', 'Infinity', '1 ', '١', '1_000'])(
    'refuses %j',
    (text) => {
      expect(() => Decimal.of(text)).toThrow(RangeError);
    },
  );

  it('refuses what is not text, as JavaScript callers may pass it', () => {
    for (const value of [0.1, null, undefined, {}, ['1']])
      expect(() => Decimal.of(value as unknown as string)).toThrow(RangeError);
    for (const count of [-1, 1.5, Number.NaN])
      expect(() => Decimal.of('1').truncated(count)).toThrow(RangeError);
  });

  it.each([
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    [' 12. ', '12'],
    ['007', '7'],
  ])('reads %j as a user types it', (typed, value) => {
    expect(`${Decimal.parse(typed)}`).toBe(value);
  });

  it.each(['', '.', '-', '-.', '1..2', '1e3', 'abc', '1,5'])('knows that %j is not a number', (typed) => {
    expect(Decimal.parse(typed)).toBeNull();
  });
});

/** Rounds half to even with whole numbers, and groups by thousands. */
function rounded(text: string, count: number): string {
  const { numerator, denominator } = fractionOf(text);
  const scaled = (numerator < 0n ? -numerator : numerator) * 10n ** BigInt(count);
  const [whole, rest] = [scaled / denominator, (scaled % denominator) * 2n];
  const up = rest > denominator || (rest === denominator && whole % 2n === 1n);
  const units = (up ? whole + 1n : whole).toString().padStart(count + 1, '0');
  const grouped = units.slice(0, units.length - count).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = units.slice(units.length - count).replace(/0+$/, '');
  return `${numerator < 0n && BigInt(units) > 0n ? '-' : ''}${grouped}${fraction === '' ? '' : `.${fraction}`}`;
}

describe('format', () => {
  it('rounds half to even, with every digit before the point', () => {
    fc.assert(
      fc.property(decimals, fc.integer({ min: 0, max: 20 }), (text, count) => {
        expect(Decimal.of(text).format({ locale: 'en', places: count })).toBe(rounded(text, count));
      }),
    );
  });

  it.each([
    ['9007199254740993.125', { places: 3 }, '9,007,199,254,740,993.125'],
    ['0.5', { places: 0 }, '0'],
    ['1.5', { places: 0 }, '2'],
    ['1234.5', { style: 'usd' }, '$1,234.50'],
    ['1234567.8', { style: 'usd', compact: true, places: 1 }, '$1.2M'],
    ['0.123456', { style: 'percent' }, '12.35%'],
    ['0.12', { style: 'percent', minPlaces: 2 }, '12.00%'],
    ['1.999', { rounding: 'trunc' }, '1.99'],
    ['0.000012345', { significant: 3 }, '0.0000123'],
    ['-0.001', {}, '0'],
    ['5', { sign: 'always' }, '+5'],
    ['0', { sign: 'exceptZero' }, '0'],
    ['-0.001', { sign: 'exceptZero' }, '0'],
  ] as const)('writes %s with %j as %s', (text, format, shown) => {
    expect(Decimal.of(text).format({ locale: 'en', ...format })).toBe(shown);
  });

  it('follows the locale', () => {
    expect(Decimal.of('1234567.891').format({ locale: 'de' })).toBe('1.234.567,89');
  });
});
