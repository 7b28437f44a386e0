import { addressBytes } from '@sluice/protocol/layout/base58';
import type { Address } from '@solana/kit';

/** Writes addresses at layout offsets. */
export function putAddresses(data: Uint8Array, entries: Iterable<readonly [number, Address]>): void {
  for (const [offset, address] of entries) data.set(addressBytes(address), offset);
}
