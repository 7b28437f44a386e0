import { ProtocolError } from '../protocol-error.ts';

/** Fractions are reduced only above this many bits: a gcd costs more than a few wide products. */
const REDUCE_ABOVE_BITS = 512n;
const REDUCE_ABOVE = 1n << REDUCE_ABOVE_BITS;

/**
 * An exact number: numerator over positive denominator. All arithmetic on published numbers uses it; rounding happens
 * once, at publication (`toDecimalString`).
 *
 * @example
 * Rational.of(1n, 3n).add(integer(2)).equals(Rational.of(7n, 3n)); // true
 */
export class Rational {
  /** Signed numerator. */
  readonly n: bigint;
  /** Positive denominator, not necessarily coprime to the numerator. */
  readonly d: bigint;
  #text: string | undefined;
  #json: string | undefined;

  private constructor(n: bigint, d: bigint) {
    this.n = n;
    this.d = d;
  }

  /** The quotient of two integers. The denominator may be negative but not zero. */
  static of(n: bigint, d = 1n): Rational {
    if (d === 0n)
      throw new ProtocolError('NUMBER_OUT_OF_RANGE', {
        what: 'denominator',
        value: '0',
        min: '1',
        max: 'any',
      });
    const result = d < 0n ? new Rational(-n, -d) : new Rational(n, d);
    return result.d > REDUCE_ABOVE ? result.reduced() : result;
  }

  add(other: Rational): Rational {
    if (this.d === other.d) return Rational.of(this.n + other.n, this.d);
    return Rational.of(this.n * other.d + other.n * this.d, this.d * other.d);
  }

  sub(other: Rational): Rational {
    if (this.d === other.d) return Rational.of(this.n - other.n, this.d);
    return Rational.of(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  mul(other: Rational): Rational {
    return Rational.of(this.n * other.n, this.d * other.d);
  }

  /** The exact quotient. Throws on division by zero; callers handle that case first. */
  div(other: Rational): Rational {
    return Rational.of(this.n * other.d, this.d * other.n);
  }

  neg(): Rational {
    return new Rational(-this.n, this.d);
  }

  abs(): Rational {
    return this.n < 0n ? this.neg() : this;
  }

  /** -1, 0 or 1: less than, equal to or greater than `other`. */
  compare(other: Rational): -1 | 0 | 1 {
    const left = this.n * other.d;
    const right = other.n * this.d;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: Rational): boolean {
    return this.compare(other) === 0;
  }

  min(other: Rational): Rational {
    return this.compare(other) <= 0 ? this : other;
  }

  max(other: Rational): Rational {
    return this.compare(other) >= 0 ? this : other;
  }

  get isZero(): boolean {
    return this.n === 0n;
  }

  get isNegative(): boolean {
    return this.n < 0n;
  }

  /** The greatest integer not above the value. */
  floor(): bigint {
    const q = this.n / this.d;
    return this.n < 0n && q * this.d !== this.n ? q - 1n : q;
  }

  /** The least integer not below the value. */
  ceil(): bigint {
    return -this.neg().floor();
  }

  /** The nearest integer; ties round to even. */
  round(): bigint {
    return nearestQuotient(this.n, this.d);
  }

  /** The same value with coprime numerator and denominator. */
  reduced(): Rational {
    const common = gcd(this.n < 0n ? -this.n : this.n, this.d);
    return common === 1n ? this : new Rational(this.n / common, this.d / common);
  }

  /** The text that `write` produces, computed once: values of a View are published many times. */
  memoizedText(write: (value: Rational) => string): string {
    this.#text ??= write(this);
    return this.#text;
  }

  /** The same text as a JSON string literal. */
  memoizedJson(write: (value: Rational) => string): string {
    this.#json ??= JSON.stringify(this.memoizedText(write));
    return this.#json;
  }

  /** The nearest finite double, for the few API fields typed as a number. Never for money. */
  toNumber(): number {
    const { n, d } = this.reduced();
    const shift = BigInt(Math.max(0, bitLength(d) - bitLength(n < 0n ? -n : n) + 64));
    const scaled = (n << shift) / d;
    const excess = Math.max(0, bitLength(scaled < 0n ? -scaled : scaled) - 64);
    const nearest = Number(scaled >> BigInt(excess)) * 2 ** (excess - Number(shift));
    return Math.min(Math.max(nearest, -Number.MAX_VALUE), Number.MAX_VALUE);
  }
}

export const ZERO = Rational.of(0n);
export const ONE = Rational.of(1n);

/** An integer as a `Rational`. */
export function integer(value: bigint | number): Rational {
  return Rational.of(BigInt(value));
}

/** The integer nearest to n/d for a positive d; ties round to even. Never reduces the fraction. */
export function nearestQuotient(n: bigint, d: bigint): bigint {
  if (n < 0n) return -nearestQuotient(-n, d);
  const doubled = n << 1n;
  const twice = doubled / d;
  const nearest = (twice + 1n) >> 1n;
  // Only a half above an even number can be a tie that rounds down.
  const isHalfAboveEven = Number(BigInt.asUintN(2, twice)) === 1;
  return isHalfAboveEven && twice * d === doubled ? nearest - 1n : nearest;
}

/** The exact sum; zero for an empty list. */
export function sum(values: Iterable<Rational>): Rational {
  let total = ZERO;
  for (const value of values) total = total.add(value);
  return total;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function bitLength(value: bigint): number {
  if (value === 0n) return 0;
  const hex = value.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}
