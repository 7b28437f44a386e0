import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64 } from '../layout/codec.ts';
import { array, type StructOf, struct } from '../layout/struct.ts';

export const PRICE_ENTRIES = 512;

/** One feed: value / 10^exp, with the slot and the unix time of its last update. */
export const datedPrice = struct({
  price: struct({ value: u64, exp: u64 }),
  lastUpdatedSlot: u64,
  unixTimestamp: u64,
  genericData: bytes(24),
});

/** The Scope oracle's price account. Reserves name their feeds by index. */
export const oraclePrices = accountLayout('OraclePrices', '598076dd0648b492', {
  oracleMappings: publicKey,
  prices: array(datedPrice, PRICE_ENTRIES),
});

export type OraclePrices = StructOf<typeof oraclePrices.body.fields>;
