import type { Address } from '@solana/kit';
import { addressBytes } from '../../programs/layout/base58.ts';

/** Writes addresses at layout offsets. */
export function putAddresses(data: Uint8Array, entries: Iterable<readonly [number, Address]>): void {
  for (const [offset, address] of entries) data.set(addressBytes(address), offset);
}
