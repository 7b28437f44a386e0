const PRIME = (1n << 255n) - 19n;
const CURVE_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether no point of ed25519 has these bytes: x^2 = (y^2 - 1) / (d y^2 + 1) has no solution. A Jacobi symbol tells it
 * without a square root. A wallet's portfolio asks this hundreds of times.
 */
export function isOffCurve(compressed: Uint8Array): boolean {
  const littleEndian = Buffer.from(compressed);
  littleEndian[31] = (littleEndian[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${littleEndian.reverse().toString('hex')}`);
  const ySquared = (y * y) % PRIME;
  const numerator = ySquared + PRIME - 1n;
  const denominator = (CURVE_D * ySquared + 1n) % PRIME;
  const value = (numerator * denominator) % PRIME;
  return (quickJacobi(value) ?? jacobi(value, PRIME)) === -1;
}

/** 264 bits in limbs of 24: two products of a limb and a factor below 2^24 add up exactly in a double. */
type Limbs = Float64Array;
const LIMBS = 11;
const BITS = 24;
const LIMB = 2 ** BITS;
const PER_LIMB = 1 / LIMB;

const words = new BigUint64Array(5);
const bytes = new Uint8Array(words.buffer);

function limbsOf(value: bigint): Limbs {
  let rest = value;
  for (let i = 0; i < words.length; i += 1, rest >>= 64n) words[i] = rest;
  const limbs = new Float64Array(LIMBS);
  for (let i = 0; i < LIMBS; i += 1) {
    limbs[i] = byte(3 * i) | (byte(3 * i + 1) << 8) | (byte(3 * i + 2) << 16);
  }
  return limbs;
}

const byte = (i: number): number => bytes[i] ?? 0;
const at = (limbs: Limbs, i: number): number => limbs[i] ?? 0;

const PRIME_LIMBS = limbsOf(PRIME);
/** Nearly all values need about half as many. */
const MOST_ROUNDS = 60;

/**
 * The Jacobi symbol of a value by the prime, by its last bits: g is made even by adding f, which changes no symbol, and
 * halved; when f is the larger by a count of steps, the two change places by reciprocity. 24 steps are made of two small
 * numbers, and then at once of the large ones. Null for what does not come to an end, zero among it.
 */
function quickJacobi(value: bigint): 1 | -1 | null {
  const f = PRIME_LIMBS.slice();
  const g = limbsOf(value);
  let length = LIMBS;
  let delta = 1;
  let flips = 0;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let lowF = at(f, 0) | (at(f, 1) << BITS);
    let lowG = at(g, 0) | (at(g, 1) << BITS);
    // After the steps f is (u f + v g) / 2^24, and g (q f + r g) / 2^24.
    let u = 1;
    let v = 0;
    let q = 0;
    let r = 1;
    for (let left = BITS; ; ) {
      // A bit beyond the last step, so that zeros are not counted any further.
      const end = lowG | (1 << left);
      const zeros = 31 - Math.clz32(end & -end);
      lowG >>= zeros;
      u *= 1 << zeros;
      v *= 1 << zeros;
      delta += zeros;
      left -= zeros;
      flips ^= zeros & ((lowF >> 1) ^ (lowF >> 2));
      if (left === 0) break;
      if (delta > 0) {
        flips ^= (lowF & lowG) >> 1;
        const oldF = lowF;
        const oldU = u;
        const oldV = v;
        lowF = lowG;
        u = q;
        v = r;
        lowG = oldF;
        q = oldU;
        r = oldV;
        delta = -delta;
      }
      lowG = (lowG + lowF) | 0;
      q += u;
      r += v;
    }
    let overF = Math.floor((u * at(f, 0) + v * at(g, 0)) * PER_LIMB);
    let overG = Math.floor((q * at(f, 0) + r * at(g, 0)) * PER_LIMB);
    for (let i = 1; i < length; i += 1) {
      const x = at(f, i);
      const y = at(g, i);
      const sumF = overF + u * x + v * y;
      const sumG = overG + q * x + r * y;
      overF = Math.floor(sumF * PER_LIMB);
      overG = Math.floor(sumG * PER_LIMB);
      f[i - 1] = sumF - overF * LIMB;
      g[i - 1] = sumG - overG * LIMB;
    }
    f[length - 1] = overF;
    g[length - 1] = overG;
    while (length > 2 && f[length - 1] === 0 && g[length - 1] === 0) length -= 1;
    if (f[0] === 1 && isZeroFrom(f, 1, length)) return (flips & 1) === 0 ? 1 : -1;
  }
  return null;
}

function isZeroFrom(limbs: Limbs, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (limbs[i] !== 0) return false;
  return true;
}

/** The same by the textbook: 1 for a square, -1 for a non-square, 0 for a multiple of the odd modulus. */
function jacobi(value: bigint, modulus: bigint): number {
  let [a, n, sign] = [value, modulus, 1];
  while (a !== 0n) {
    for (; (a & 1n) === 0n; a >>= 1n) if ((n & 7n) === 3n || (n & 7n) === 5n) sign = -sign;
    if ((a & n & 3n) === 3n) sign = -sign;
    [a, n] = [n % a, a];
  }
  return n === 1n ? sign : 0;
}
