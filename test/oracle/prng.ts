import { createHash } from 'node:crypto';
import { type Address, getAddressDecoder } from '@solana/kit';

/**
 * A stream of reproducible bytes: SHA-256 over seed and counter. Every case has a seed of its own, so adding
 * a case leaves the others as they are.
 */
export class Prng {
  #pool: Buffer = Buffer.alloc(0);
  #counter = 0;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  bytes(length: number): Buffer {
    const chunks: Buffer[] = [this.#pool];
    let have = this.#pool.length;
    while (have < length) {
      const chunk = createHash('sha256').update(`${this.#seed}#${this.#counter}`).digest();
      this.#counter += 1;
      chunks.push(chunk);
      have += chunk.length;
    }
    const all = Buffer.concat(chunks);
    this.#pool = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Uniform over all values of that many bits (a multiple of eight). */
  bits(bits: number): bigint {
    return BigInt(`0x${this.bytes(bits / 8).toString('hex')}`);
  }

  /** An integer with low <= value <= high; the bias of the modulus does not matter here. */
  between(low: bigint, high: bigint): bigint {
    return low + (this.bits(192) % (high - low + 1n));
  }

  int(low: number, high: number): number {
    return Number(this.between(BigInt(low), BigInt(high)));
  }

  address(): Address {
    return getAddressDecoder().decode(this.bytes(32));
  }
}
