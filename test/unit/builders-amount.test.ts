import { placePoint } from '@sluice/protocol/numeric/decimal';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { Rational } from '@sluice/protocol/numeric/rational';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AmountInput, type AmountRules, toBaseUnits } from '../../src/builders/amount.ts';
import { isCodedError } from '../../src/errors/sluice-error.ts';
import { parseAmount } from '../../src/rest/builds/body-parts.ts';

const deposit = { decimals: 6, maxMeansAll: false };
const withdraw = { decimals: 6, maxMeansAll: true };

const read = (text: string, rules: AmountRules) => toBaseUnits({ tokens: parseAmount(text) }, rules);

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return isCodedError(error) ? error.code : String(error);
  }
  return 'none';
}

describe('amounts', () => {
  it.each([
    ['1', 1_000_000n],
    ['0.000001', 1n],
    ['1.5', 1_500_000n],
    ['1.5000000000', 1_500_000n],
    [' 12.25 ', 12_250_000n],
    ['18446744073709.551614', U64_MAX - 1n],
  ])('reads %s exactly', (text, units) => {
    expect(read(text, deposit)).toBe(units);
  });

  it.each([
    ['0', 'AMOUNT_NOT_POSITIVE'],
    ['-1', 'AMOUNT_NOT_POSITIVE'],
    ['0.0000001', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['1.0000001', 'AMOUNT_TOO_MANY_DECIMALS'],
    ['18446744073709.551616', 'DECIMAL_TO_LAMPORTS_OVERFLOW'],
    ['99999999999999999999', 'DECIMAL_TO_LAMPORTS_OVERFLOW'],
    ['18446744073709551615', 'DECIMAL_TO_LAMPORTS_OVERFLOW'],
    ['U64::MAX', 'DECIMAL_TO_LAMPORTS_OVERFLOW'],
    // Amounts that the program would read as "all".
    ['18446744073709.551615', 'DECIMAL_TO_LAMPORTS_OVERFLOW'],
    ['1e3', 'DECIMAL_INVALID'],
    ['', 'DECIMAL_INVALID'],
    ['+1', 'DECIMAL_INVALID'],
    ['1,5', 'DECIMAL_INVALID'],
    ['.5', 'DECIMAL_INVALID'],
    ['u64::max', 'DECIMAL_INVALID'],
    ['NaN', 'DECIMAL_INVALID'],
  ])('a deposit of %s is refused as %s', (text, code) => {
    expect(codeOf(() => read(text, deposit))).toBe(code);
  });

  it.each(['U64::MAX', '18446744073709551615', '18446744073709.551615'])('%s withdraws all', (text) => {
    expect(read(text, withdraw)).toBe('all');
  });

  it('recognises the greatest u64 before scaling, whatever the decimals', () => {
    for (const decimals of [0, 6, 9, 255]) {
      expect(read('18446744073709551615', { decimals, maxMeansAll: true })).toBe('all');
    }
  });

  it('takes base units as they are', () => {
    expect(toBaseUnits({ baseUnits: 7n }, deposit)).toBe(7n);
    expect(toBaseUnits({ baseUnits: U64_MAX }, withdraw)).toBe('all');
    expect(toBaseUnits({ all: true }, deposit)).toBe('all');
    expect(codeOf(() => toBaseUnits({ baseUnits: 0n }, deposit))).toBe('AMOUNT_NOT_POSITIVE');
    expect(codeOf(() => toBaseUnits({ baseUnits: U64_MAX + 1n }, withdraw))).toBe(
      'DECIMAL_TO_LAMPORTS_OVERFLOW',
    );
  });

  it('gives back every amount that a mint can express', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, U64_MAX - 1n), fc.integer({ min: 0, max: 30 }), (units, decimals) => {
        expect(read(placePoint(units, decimals), { decimals, maxMeansAll: decimals > 0 })).toBe(units);
      }),
      { numRuns: 500 },
    );
  });

  it('never fails to parse without a code', () => {
    const text = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String));
    fc.assert(
      fc.property(text, (given) => {
        expect(['none', 'DECIMAL_INVALID']).toContain(codeOf(() => parseAmount(given)));
      }),
    );
  });

  it('never fails without a code', () => {
    const input: fc.Arbitrary<AmountInput> = fc.oneof(
      fc.record({
        tokens: fc
          .tuple(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 30n }))
          .map(([n, d]) => Rational.of(n, d)),
      }),
      fc.record({ baseUnits: fc.bigInt() }),
    );
    fc.assert(
      fc.property(input, fc.integer({ min: 0, max: 255 }), fc.boolean(), (given, decimals, maxMeansAll) => {
        try {
          const amount = toBaseUnits(given, { decimals, maxMeansAll });
          expect(amount === 'all' || (amount > 0n && amount < U64_MAX)).toBe(true);
        } catch (error) {
          if (!isCodedError(error)) throw error;
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
