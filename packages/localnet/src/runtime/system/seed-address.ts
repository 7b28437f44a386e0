import { createHash } from 'node:crypto';
import { addressBytes, addressFromBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';
import { customError, InstructionError } from '../instruction-error.ts';
import { failWith } from '../native.ts';
import type { Invocation } from '../program.ts';
import { SYSTEM_ERRORS } from './errors.ts';

const MAX_SEED_BYTES = 32;
const DERIVED_MARKER = Buffer.from('ProgramDerivedAddress');

/** The address that a base, a text and an owner determine. A signature of the base signs for it, too. */
export function seedAddress(base: Address, seed: string, owner: Address): Address {
  const text = Buffer.from(seed);
  if (text.length > MAX_SEED_BYTES) throw new InstructionError('MaxSeedLengthExceeded');
  const ownerBytes = addressBytes(owner);
  // Otherwise the hash could equal that of a program's derived address.
  if (DERIVED_MARKER.equals(ownerBytes.subarray(-DERIVED_MARKER.length))) {
    throw new InstructionError('IllegalOwner');
  }
  const hash = createHash('sha256').update(addressBytes(base)).update(text).update(ownerBytes);
  return addressFromBytes(hash.digest());
}

/** Fails unless the address is the one derived from the seed. */
export function checkSeedAddress(
  invocation: Invocation,
  what: string,
  address: Address,
  derived: Address,
): void {
  if (address === derived) return;
  failWith(
    invocation,
    `${what} ${address} does not match derived address ${derived}`,
    customError(SYSTEM_ERRORS.addressWithSeedMismatch),
  );
}
