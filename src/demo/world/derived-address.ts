import { createHash } from 'node:crypto';
import type { Address } from '@solana/kit';
import { readAddress } from '../../programs/layout/base58.ts';
import type { ProgramDerivedAddress } from '../../programs/layout/pda.ts';
import { addressToBytes } from './address-bytes.ts';

const PRIME = (1n << 255n) - 19n;
const CURVE_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const MARKER = Buffer.from('ProgramDerivedAddress');

/** Program-derived addresses as `derive` of the programs gives them, but by a Jacobi symbol instead of a square root:
 * the world derives thousands of them before it can answer. */
export function deriveFast(
  program: Address,
  ...seeds: readonly (string | number | Uint8Array)[]
): ProgramDerivedAddress {
  const parts = seeds.map((seed) => (typeof seed === 'number' ? Uint8Array.of(seed) : Buffer.from(seed)));
  const start = Buffer.concat(parts);
  const tail = Buffer.concat([addressToBytes(program), MARKER]);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256').update(start).update(Uint8Array.of(bump)).update(tail).digest();
    if (isOffCurve(hash)) {
      return { address: readAddress(new DataView(hash.buffer, hash.byteOffset, 32), 0), bump };
    }
  }
  throw new RangeError('no bump takes these seeds off the curve');
}

/** Whether no point of ed25519 has these bytes: x^2 = (y^2 - 1) / (d y^2 + 1) has no solution. */
export function isOffCurve(compressed: Uint8Array): boolean {
  const littleEndian = Buffer.from(compressed);
  littleEndian[31] = (littleEndian[31] ?? 0) & 0x7f;
  const y = BigInt(`0x${littleEndian.reverse().toString('hex')}`);
  const ySquared = (y * y) % PRIME;
  const numerator = ySquared - 1n;
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
