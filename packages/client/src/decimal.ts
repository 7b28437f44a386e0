import { type DecimalFormat, formatDecimal } from './decimal-format.ts';

const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;
const TYPED = /^\s*(-?)(\d*)\.?(\d*)\s*$/;

/**
 * An exact decimal number. The gateway sends amounts, prices and rates as strings; a float would round them.
 *
 * @example
 * Decimal.of('1.5').plus(Decimal.fromBaseUnits('250000', 6)).format({ style: 'usd' });
 */
export class Decimal {
  static readonly ZERO = new Decimal(0n, 0);

  readonly #digits: bigint;
  readonly #scale: number;

  /** Without trailing zeros after the point, so that equal numbers have equal parts. */
  private constructor(digits: bigint, scale: number) {
    let [reduced, places] = [digits, scale];
    while (places > 0 && reduced % 10n === 0n) {
      reduced /= 10n;
      places -= 1;
    }
    this.#digits = reduced;
    this.#scale = places;
  }

  /** Plain notation only, as the gateway sends it: `-12.5`. Throws a `RangeError` for anything else. */
  static of(value: string | bigint): Decimal {
    if (typeof value === 'bigint') return new Decimal(value, 0);
    const [, sign, whole, fraction = ''] = (typeof value === 'string' && PLAIN.exec(value)) || [];
    if (whole === undefined) throw new RangeError(`${JSON.stringify(value)} is not a decimal number.`);
    return new Decimal(BigInt(`${sign}${whole}${fraction}`), fraction.length);
  }

  /** Parses user input, also ` 12. ` and `.5`. Null when it is not a number (yet). */
  static parse(typed: string): Decimal | null {
    const [, sign, whole = '', fraction = ''] = TYPED.exec(typed) ?? [];
    if (sign === undefined || `${whole}${fraction}` === '') return null;
    return new Decimal(BigInt(`${sign}${whole}${fraction}`), fraction.length);
  }

  /** Base units of a token to whole tokens: `fromBaseUnits('1500000', 6)` is 1.5. */
  static fromBaseUnits(units: string | bigint, decimals: number): Decimal {
    const whole = Decimal.of(units);
    if (whole.#scale > 0) throw new RangeError(`${units} is not a number of base units.`);
    return new Decimal(whole.#digits, places(decimals));
  }

  static sum(values: Iterable<Decimal>): Decimal {
    let sum = Decimal.ZERO;
    for (const value of values) sum = sum.plus(value);
    return sum;
  }

  static min(first: Decimal, ...others: readonly Decimal[]): Decimal {
    return others.reduce((least, each) => (each.compare(least) < 0 ? each : least), first);
  }

  static max(first: Decimal, ...others: readonly Decimal[]): Decimal {
    return others.reduce((most, each) => (each.compare(most) > 0 ? each : most), first);
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.#scale, other.#scale);
    return new Decimal(this.#at(scale) + other.#at(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(other.negated());
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.#digits * other.#digits, this.#scale + other.#scale);
  }

  /** The quotient, cut after a number of places: a third has no end. Throws a `RangeError` for a division by zero. */
  dividedBy(divisor: Decimal, toPlaces: number): Decimal {
    if (divisor.isZero) throw new RangeError('A number cannot be divided by zero.');
    const scale = Math.max(this.#scale, divisor.#scale);
    const numerator = this.#at(scale) * 10n ** BigInt(places(toPlaces));
    return new Decimal(numerator / divisor.#at(scale), toPlaces);
  }

  negated(): Decimal {
    return new Decimal(-this.#digits, this.#scale);
  }

  abs(): Decimal {
    return this.isNegative ? this.negated() : this;
  }

  /** Negative, zero or positive: `values.sort((a, b) => a.compare(b))`. */
  compare(other: Decimal): -1 | 0 | 1 {
    const scale = Math.max(this.#scale, other.#scale);
    const [left, right] = [this.#at(scale), other.#at(scale)];
    return left < right ? -1 : left > right ? 1 : 0;
  }

  equals(other: Decimal): boolean {
    return this.compare(other) === 0;
  }

  get isZero(): boolean {
    return this.#digits === 0n;
  }

  get isNegative(): boolean {
    return this.#digits < 0n;
  }

  /** Digits after the decimal point, for example to see whether a token can have so many. */
  get places(): number {
    return this.#scale;
  }

  /** Cut, not rounded, to a number of places: an amount that a user can spend must not be rounded up. */
  truncated(toPlaces: number): Decimal {
    if (places(toPlaces) >= this.#scale) return this;
    return new Decimal(this.#digits / 10n ** BigInt(this.#scale - toPlaces), toPlaces);
  }

  /** Whole tokens to base units of a token. Throws a `RangeError` when there is a fraction of a unit: see `truncated`. */
  toBaseUnits(decimals: number): bigint {
    if (this.#scale > places(decimals))
      throw new RangeError(`${this} has more than ${decimals} places: it is no number of base units.`);
    return this.#at(decimals);
  }

  /** For people. The exact value is `toString()`. */
  format(format: DecimalFormat = {}): string {
    return formatDecimal(this.toString(), format);
  }

  /** For charts and CSS widths only: a float is not exact. */
  toApproximateNumber(): number {
    return Number(this.toString());
  }

  /** The exact value in plain notation, without trailing zeros. */
  toString(): string {
    const digits = (this.isNegative ? -this.#digits : this.#digits).toString().padStart(this.#scale + 1, '0');
    const point = digits.length - this.#scale;
    const fraction = this.#scale === 0 ? '' : `.${digits.slice(point)}`;
    return `${this.isNegative ? '-' : ''}${digits.slice(0, point)}${fraction}`;
  }

  toJSON(): string {
    return this.toString();
  }

  #at(scale: number): bigint {
    return this.#digits * 10n ** BigInt(scale - this.#scale);
  }
}

/** Throws a `RangeError` for anything but a count of places. */
function places(count: number): number {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError(`${count} is not a number of places.`);
  return count;
}
