import { bytes, u8, u32, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, struct } from '../layout/struct.ts';

/** When the program last refreshed the account. Every action sets `stale` until the next refresh. Staleness goes by slot. */
export const lastUpdate = struct({
  slot: u64,
  stale: u8,
  priceStatus: u8,
  alignmentPadding: padding(bytes(2)),
  /** Unix seconds; 0 when a program before klend 1.25 wrote it. Reserves with true APR accrue from here. */
  timestamp: u32,
});

/** A 256-bit scaled fraction: four little-endian limbs, see `fromBigScaledFraction`. */
export const bigFractionBytes = struct({
  value: array(u64, 4),
  padding: padding(array(u64, 2)),
});
