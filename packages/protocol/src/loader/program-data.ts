import type { Address } from '@solana/kit';
import { viewOf } from '../layout/account.ts';
import { addressBytes } from '../layout/base58.ts';
import { derive } from '../layout/pda.ts';

export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address;

/** A tag (u32), the slot of the last deployment (u64) and the optional upgrade authority; the code follows. */
export const PROGRAM_DATA_HEADER_BYTES = 45;
const TAG = 3;
const SLOT = 4;

/** The account in which the loader stores a program's code. */
export function programDataAddress(program: Address): Address {
  return derive(UPGRADEABLE_LOADER, addressBytes(program)).address;
}

/** The slot of the last deployment; null when the bytes are not a loader header. */
export function deployedSlot(owner: Address, header: Uint8Array): bigint | null {
  if (owner !== UPGRADEABLE_LOADER || header.length < SLOT + 8) return null;
  const view = viewOf(header);
  return view.getUint32(0, true) === TAG ? view.getBigUint64(SLOT, true) : null;
}

/** The header of an immutable program (no upgrade authority). */
export function encodeProgramDataHeader(slot: bigint): Uint8Array {
  const data = new Uint8Array(PROGRAM_DATA_HEADER_BYTES);
  const view = viewOf(data);
  view.setUint32(0, TAG, true);
  view.setBigUint64(SLOT, slot, true);
  return data;
}
