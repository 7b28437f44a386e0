import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ONE, Rational, sum, ZERO } from '../src/numeric/rational.ts';
import { isProtocolError } from '../src/protocol-error.ts';

const rational = fc
  .tuple(fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }), fc.bigInt({ min: 1n, max: 2n ** 130n }))
  .map(([n, d]) => Rational.of(n, d));

describe('Rational', () => {
  it('satisfies the field axioms', () => {
    fc.assert(
      fc.property(rational, rational, rational, (a, b, c) => {
        expect(a.add(b).equals(b.add(a))).toBe(true);
        expect(
          a
            .add(b)
            .add(c)
            .equals(a.add(b.add(c))),
        ).toBe(true);
        expect(a.mul(b.add(c)).equals(a.mul(b).add(a.mul(c)))).toBe(true);
        expect(a.sub(a).isZero).toBe(true);
        if (!b.isZero) expect(a.div(b).mul(b).equals(a)).toBe(true);
      }),
    );
  });

  it('keeps its value when operands grow past the reduction threshold', () => {
    let product = ONE;
    for (let i = 1n; i <= 60n; i += 1n) product = product.mul(Rational.of(2n ** 64n - i, 2n ** 61n + i));
    for (let i = 60n; i >= 1n; i -= 1n) product = product.div(Rational.of(2n ** 64n - i, 2n ** 61n + i));
    expect(product.equals(ONE)).toBe(true);
    expect(product.d < 2n ** 600n).toBe(true);
  });

  it('compares by value, not by representation', () => {
    expect(Rational.of(2n, 4n).equals(Rational.of(1n, 2n))).toBe(true);
    expect(Rational.of(-1n, 3n).compare(Rational.of(1n, -4n))).toBe(-1);
    expect(Rational.of(1n, 3n).max(Rational.of(1n, 2n)).equals(Rational.of(1n, 2n))).toBe(true);
    expect(Rational.of(1n, 3n).min(Rational.of(1n, 2n)).equals(Rational.of(1n, 3n))).toBe(true);
  });

  it.each([
    [7n, 2n, 3n, 4n, 4n],
    [5n, 2n, 2n, 3n, 2n],
    [-5n, 2n, -3n, -2n, -2n],
    [-7n, 3n, -3n, -2n, -2n],
    [6n, 3n, 2n, 2n, 2n],
  ])('rounds %d/%d down to %d, up to %d, half-even to %d', (n, d, floor, ceil, round) => {
    expect(Rational.of(n, d).floor()).toBe(floor);
    expect(Rational.of(n, d).ceil()).toBe(ceil);
    expect(Rational.of(n, d).round()).toBe(round);
  });

  it('rejects a zero denominator with a coded error', () => {
    expect(() => ONE.div(ZERO)).toThrow(expect.objectContaining({ code: 'NUMBER_OUT_OF_RANGE' }));
    try {
      Rational.of(1n, 0n);
    } catch (error) {
      expect(isProtocolError(error, 'NUMBER_OUT_OF_RANGE')).toBe(true);
    }
  });

  it('converts to a double within one part in 10^15', () => {
    fc.assert(
      fc.property(rational, (a) => {
        const value = a.toNumber();
        expect(Number.isFinite(value)).toBe(true);
        const exact = Number((a.n * 10n ** 60n) / a.d) / 1e60;
        expect(Math.abs(value - exact)).toBeLessThanOrEqual(Math.abs(exact) * 1e-15 + 1e-60);
      }),
    );
  });

  it('sums an empty list to zero', () => {
    expect(sum([]).isZero).toBe(true);
    expect(sum([Rational.of(1n, 3n), Rational.of(1n, 6n)]).equals(Rational.of(1n, 2n))).toBe(true);
  });
});
