import { createHash } from 'node:crypto';
import { type Address, isOffCurveAddress } from '@solana/kit';
import { readAddress } from './base58.ts';
import { addressBytes } from './codec.ts';

const MARKER = Buffer.from('ProgramDerivedAddress');

/** An address that a program controls, and the bump that took it off the curve. */
export interface ProgramDerivedAddress {
  readonly address: Address;
  readonly bump: number;
}

/** Derives the address for the seeds: text as UTF-8, a number as one byte. Synchronous, so that builders stay pure. */
export function derive(
  program: Address,
  ...seeds: readonly (string | number | Uint8Array)[]
): ProgramDerivedAddress {
  const parts = seeds.map((seed) => (typeof seed === 'number' ? Uint8Array.of(seed) : Buffer.from(seed)));
  const tail = Buffer.concat([addressBytes(program), MARKER]);
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(part);
    const digest = hash.update(Uint8Array.of(bump)).update(tail).digest();
    const address = readAddress(new DataView(digest.buffer, digest.byteOffset, 32), 0);
    if (isOffCurveAddress(address)) return { address, bump };
  }
  // Half of all hashes are off the curve: 256 misses in a row do not happen.
  throw new RangeError('no bump takes these seeds off the curve');
}

/** The bytes of an address as a seed. */
export const seed = addressBytes;

/** The account that a program signs its events with. */
export const eventAuthority = (program: Address) => derive(program, '__event_authority');
