import { bytes, u8, u64 } from '../layout/codec.ts';
import { array, struct } from '../layout/struct.ts';

/** When the program last refreshed the account. Every action sets `stale` until the next refresh. */
export const lastUpdate = struct({
  slot: u64,
  stale: u8,
  priceStatus: u8,
  placeholder: bytes(6),
});

/** A 256-bit scaled fraction: four little-endian limbs, see `fromBigScaledFraction`. */
export const bigFractionBytes = struct({
  value: array(u64, 4),
  padding: array(u64, 2),
});
