/** e^x splits its argument into groups of bits, highest first; the power of e of each group value is cached. */
const GROUPS = 4;
const GROUP_BITS = 8;
const GROUP_MASK = (1 << GROUP_BITS) - 1;
const GROUPED_BITS = BigInt(GROUPS * GROUP_BITS);

/** Logarithms and powers of e in integer multiples of 2^-bits. Each step rounds down, so the last few bits are off. */
export class FixedPoint {
  readonly #bits: bigint;
  readonly #one: bigint;
  readonly #ln2: bigint;
  readonly #nearOneMin: bigint;
  readonly #nearOneMax: bigint;
  readonly #groupPowers: bigint[][] = Array.from({ length: GROUPS }, () => []);

  constructor(bits: bigint) {
    this.#bits = bits;
    this.#one = 1n << bits;
    this.#nearOneMin = (this.#one * 2n) / 3n;
    this.#nearOneMax = (this.#one * 4n) / 3n;
    this.#ln2 = -this.logOnePlus(-1n, 2n);
  }

  /** Whether e^x is greater than 2^doublings or less than 2^-doublings. */
  isBeyond(x: bigint, doublings: bigint): boolean {
    return (x < 0n ? -x : x) > doublings * this.#ln2;
  }

  /** ln(n/d) for a positive quotient. */
  log(n: bigint, d: bigint): bigint {
    let mantissa = (n << this.#bits) / d;
    let twos = 0n;
    // Bring the mantissa near 1, where the series converges fastest.
    while (mantissa > this.#nearOneMax) {
      mantissa >>= 1n;
      twos += 1n;
    }
    if (twos > 0n) mantissa = (n << this.#bits) / (d << twos);
    while (mantissa < this.#nearOneMin) {
      twos -= 1n;
      mantissa = (n << (this.#bits - twos)) / d;
    }
    return this.logOnePlus(mantissa - this.#one, this.#one) + twos * this.#ln2;
  }

  /** ln(1 + n/d) = 2 artanh(n / (2d + n)); the smaller n/d is, the fewer terms it takes. */
  logOnePlus(n: bigint, d: bigint): bigint {
    const z = (n << this.#bits) / (2n * d + n);
    const square = (z * z) >> this.#bits;
    let term = z;
    let total = z;
    for (let k = 3n; term !== 0n && term !== -1n; k += 2n) {
      term = (term * square) >> this.#bits;
      total += term / k;
    }
    return 2n * total;
  }

  /** e^x times `scale`, rounded half-even to a whole number. */
  exp(x: bigint, scale: bigint): bigint {
    // Rounded down, so the remainder is non-negative and at most slightly above ln(2).
    const twos = x / this.#ln2 - (x < 0n ? 1n : 0n);
    const rest = x - twos * this.#ln2;
    const restBits = this.#bits - GROUPED_BITS;
    const high = Number(rest >> restBits);
    let total = this.#series(BigInt.asUintN(Number(restBits), rest), this.#bits);
    for (let group = 0; group < GROUPS; group += 1) {
      const bits = (high >> ((GROUPS - 1 - group) * GROUP_BITS)) & GROUP_MASK;
      if (bits !== 0) total = (total * this.#groupPower(group, bits)) >> this.#bits;
    }
    return nearestShifted(total * scale, this.#bits - twos);
  }

  /** e^x by its Taylor series, for a small non-negative x; both in units of 2^-bits. */
  #series(x: bigint, bits: bigint): bigint {
    let term = x;
    let total = (1n << bits) + x;
    for (let k = 2n; term !== 0n; k += 1n) {
      term = ((term * x) >> bits) / k;
      total += term;
    }
    return total;
  }

  /** e to the power of a group's value at that group's position. */
  #groupPower(group: number, bits: number): bigint {
    const powers = this.#groupPowers[group] ?? [];
    const cached = powers[bits];
    if (cached !== undefined) return cached;
    // Computed with twice the bits: a cached power enters every result, so its own error must stay invisible.
    const place = 2n * this.#bits - BigInt((group + 1) * GROUP_BITS);
    const power = this.#series(BigInt(bits) << place, 2n * this.#bits) >> this.#bits;
    powers[bits] = power;
    return power;
  }
}

/** `nearestQuotient` of a non-negative value by 2^bits, twice as fast. Every yield calls it. */
function nearestShifted(value: bigint, bits: bigint): bigint {
  if (bits <= 0n) return value << -bits;
  const twice = value >> (bits - 1n);
  const floor = twice >> 1n;
  if ((twice & 1n) === 0n) return floor;
  const isTie = twice << (bits - 1n) === value;
  return isTie && (floor & 1n) === 0n ? floor : floor + 1n;
}
