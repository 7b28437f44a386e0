/** e^x takes its argument apart into groups of bits, the highest first, whose powers of e are kept. */
const GROUPS = 4;
const GROUP_BITS = 8;
const GROUP_MASK = (1 << GROUP_BITS) - 1;
const GROUPED_BITS = BigInt(GROUPS * GROUP_BITS);

/** Logarithms and powers of e in whole numbers of 2^-bits. Each step is rounded down, so the last bits are not right. */
export class FixedPoint {
  readonly #bits: bigint;
  readonly #one: bigint;
  readonly #ln2: bigint;
  readonly #nearOneMin: bigint;
  readonly #nearOneMax: bigint;
  readonly #growths: bigint[][] = Array.from({ length: GROUPS }, () => []);

  constructor(bits: bigint) {
    this.#bits = bits;
    this.#one = 1n << bits;
    this.#nearOneMin = (this.#one * 2n) / 3n;
    this.#nearOneMax = (this.#one * 4n) / 3n;
    this.#ln2 = -this.logOnePlus(-1n, 2n);
  }

  /** Whether e^x doubles more often than this, or comes out as that much less than one. */
  isBeyond(x: bigint, doublings: bigint): boolean {
    return (x < 0n ? -x : x) > doublings * this.#ln2;
  }

  /** ln(n/d) of a positive quotient. */
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
    // Rounded down, so that what is left is not negative and hardly above ln(2).
    const twos = x / this.#ln2 - (x < 0n ? 1n : 0n);
    const rest = x - twos * this.#ln2;
    const restBits = this.#bits - GROUPED_BITS;
    const high = Number(rest >> restBits);
    let total = this.#series(BigInt.asUintN(Number(restBits), rest), this.#bits);
    for (let group = 0; group < GROUPS; group += 1) {
      const bits = (high >> ((GROUPS - 1 - group) * GROUP_BITS)) & GROUP_MASK;
      if (bits !== 0) total = (total * this.#growthOf(group, bits)) >> this.#bits;
    }
    return nearestShifted(total * scale, this.#bits - twos);
  }

  /** e^x by its series, for an x that is not negative and small; both in units of 2^-bits. */
  #series(x: bigint, bits: bigint): bigint {
    let term = x;
    let total = (1n << bits) + x;
    for (let k = 2n; term !== 0n; k += 1n) {
      term = ((term * x) >> bits) / k;
      total += term;
    }
    return total;
  }

  /** e to the power of `bits` at the place of their group. */
  #growthOf(group: number, bits: number): bigint {
    const kept = this.#growths[group] ?? [];
    const known = kept[bits];
    if (known !== undefined) return known;
    // With as many bits again: what is kept goes into every power, and its own error must not show.
    const place = 2n * this.#bits - BigInt((group + 1) * GROUP_BITS);
    const growth = this.#series(BigInt(bits) << place, 2n * this.#bits) >> this.#bits;
    kept[bits] = growth;
    return growth;
  }
}

/** `nearestQuotient` of a value that is not negative by 2^bits, in half the time: it is in every yield. */
function nearestShifted(value: bigint, bits: bigint): bigint {
  if (bits <= 0n) return value << -bits;
  const twice = value >> (bits - 1n);
  const floor = twice >> 1n;
  if ((twice & 1n) === 0n) return floor;
  const isTie = twice << (bits - 1n) === value;
  return isTie && (floor & 1n) === 0n ? floor : floor + 1n;
}
