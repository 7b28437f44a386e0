const PRIME = (1n << 255n) - 19n;
/** The curve's constant d is -121665 / 121666. */
const D_TOP = 121_665n;
const D_BOTTOM = 121_666n;
const D_BOTTOM_SYMBOL = jacobi(D_BOTTOM, PRIME);

/** Scratch space, used within one call only; so are the limbs below. */
const words = new BigUint64Array(5);
const bytes = new Uint8Array(words.buffer);

/**
 * Whether no ed25519 point has these bytes: x^2 = (y^2 - 1) / (d y^2 + 1) has no solution. A Jacobi symbol decides this
 * without a square root. It is the same for a quotient and a product, and for this prime (1 modulo 4) the same for a
 * number and its negative. One wallet portfolio calls this hundreds of times.
 */
export function isOffCurve(compressed: Uint8Array): boolean {
  bytes.set(compressed);
  bytes[31] = byte(31) & 0x7f;
  const y = word(0) | (word(1) << 64n) | (word(2) << 128n) | (word(3) << 192n);
  const ySquared = (y * y) % PRIME;
  const value = ((ySquared - 1n) * (D_TOP * ySquared - D_BOTTOM)) % PRIME;
  return D_BOTTOM_SYMBOL * (quickJacobi(value) ?? jacobi(value, PRIME)) === -1;
}

/** 264 bits in limbs of 24: the sum of two products of a limb and a factor below 2^24 is exact in a double. */
type Limbs = Float64Array;
const LIMBS = 11;
const BITS = 24;
const LIMB = 2 ** BITS;
const PER_LIMB = 1 / LIMB;

function toLimbs(value: bigint, limbs: Limbs): Limbs {
  let rest = value;
  for (let i = 0; i < words.length; i += 1, rest >>= 64n) words[i] = rest;
  for (let i = 0; i < LIMBS; i += 1) {
    limbs[i] = byte(3 * i) | (byte(3 * i + 1) << 8) | (byte(3 * i + 2) << 16);
  }
  return limbs;
}

function word(i: number): bigint {
  return words[i] as bigint;
}

function byte(i: number): number {
  return bytes[i] as number;
}

const at = (limbs: Limbs, i: number): number => limbs[i] as number;

const PRIME_LIMBS = toLimbs(PRIME, new Float64Array(LIMBS));
const a: Limbs = new Float64Array(LIMBS);
const b: Limbs = new Float64Array(LIMBS);

/** Trailing zeros allowed in the 32 low bits, so that the two bits above them are known. */
const MAX_TRAILING_ZEROS = 30;

/**
 * The Jacobi symbol of a value modulo the prime, by Euclid's algorithm with Lehmer's acceleration: a dozen divisions on
 * the 48 highest bits, then one update of all limbs. The lowest bits determine how each division changes the symbol.
 * Null for zero, and where the bits at either end are not enough (about once in millions of values).
 */
function quickJacobi(value: bigint): 1 | -1 | null {
  a.set(PRIME_LIMBS);
  toLimbs(value, b);
  let flips = 0;
  for (let top = LIMBS - 1; ; ) {
    while (top > 1 && a[top] === 0) top -= 1;
    const isWhole = top === 1;
    const shift = isWhole ? 0 : Math.clz32(at(a, top)) - (32 - BITS);
    let x = highest(a, top, shift);
    let y = highest(b, top, shift);
    let lowX = lowest(a);
    let lowY = lowest(b);
    let zerosY = lastZeros(lowY);
    if (zerosY > MAX_TRAILING_ZEROS) return null;
    // Invariant: x approximates sign * (s a - t b), y approximates sign * (v b - u a).
    let s = 1;
    let t = 0;
    let u = 0;
    let v = 1;
    let sign = 1;
    for (;;) {
      const quotient = Math.floor(x / y);
      const z = x - quotient * y;
      const nextU = s + quotient * u;
      const nextV = t + quotient * v;
      // Once the factors are as large as the remainder, the truncated bits could change the quotient.
      if (!isWhole && (nextV >= LIMB || z < nextV || y - z < nextV + v)) break;
      const lowZ = (lowX - Math.imul(quotient, lowY)) | 0;
      if (isWhole && z === 0) return y !== 1 ? null : (flips & 1) === 0 ? 1 : -1;
      const zerosZ = lastZeros(lowZ);
      if (zerosZ > MAX_TRAILING_ZEROS) return null;
      // The symbol is multiplicative in y. Replacing x by z only changes the symbol of y's factors of two.
      flips ^= zerosY & (symbolByTwo(lowX) ^ symbolByTwo(lowZ));
      // Swapping the two follows quadratic reciprocity of their odd parts.
      flips ^= ((lowY >> zerosY) & (lowZ >> zerosZ)) >> 1;
      x = y;
      y = z;
      lowX = lowY;
      lowY = lowZ;
      zerosY = zerosZ;
      s = u;
      t = v;
      u = nextU;
      v = nextV;
      sign = -sign;
    }
    if (u === 0) return null;
    combine(top, sign * s, -sign * t, -sign * u, sign * v);
  }
}

/** The 48 bits below the highest set bit of the larger number; all bits when it has only two limbs. */
function highest(limbs: Limbs, top: number, shift: number): number {
  const upper = at(limbs, top) * LIMB + at(limbs, top - 1);
  return shift === 0 ? upper : upper * (1 << shift) + (at(limbs, top - 2) >> (BITS - shift));
}

function lowest(limbs: Limbs): number {
  return at(limbs, 0) | (at(limbs, 1) << BITS);
}

/** Number of trailing zero bits; 32 for zero. */
function lastZeros(low: number): number {
  return low === 0 ? 32 : 31 - Math.clz32(low & -low);
}

/** The last bit is set when 2 is a non-residue modulo the odd number. */
function symbolByTwo(low: number): number {
  return (low >> 1) ^ (low >> 2);
}

/** Applies the accumulated divisions to all limbs of a and b. */
function combine(top: number, aOfA: number, bOfA: number, aOfB: number, bOfB: number): void {
  let overA = 0;
  let overB = 0;
  for (let i = 0; i <= top; i += 1) {
    const x = at(a, i);
    const y = at(b, i);
    const sumA = overA + aOfA * x + bOfA * y;
    const sumB = overB + aOfB * x + bOfB * y;
    overA = Math.floor(sumA * PER_LIMB);
    overB = Math.floor(sumB * PER_LIMB);
    a[i] = sumA - overA * LIMB;
    b[i] = sumB - overB * LIMB;
  }
}

/** The textbook Jacobi symbol: 1 for a square, -1 for a non-square, 0 for a multiple of the odd modulus. */
function jacobi(value: bigint, modulus: bigint): number {
  let [a, n, sign] = [value, modulus, 1];
  while (a !== 0n) {
    for (; (a & 1n) === 0n; a >>= 1n) if ((n & 7n) === 3n || (n & 7n) === 5n) sign = -sign;
    if ((a & n & 3n) === 3n) sign = -sign;
    [a, n] = [n % a, a];
  }
  return n === 1n ? sign : 0;
}
