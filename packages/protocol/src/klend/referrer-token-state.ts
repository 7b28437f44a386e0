import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import type { StructOf } from '../layout/struct.ts';

/** A referrer's earnings in one reserve; amounts are base units, scaled by 2^60. */
export const referrerTokenState = accountLayout('ReferrerTokenState', '270fd04d20c36938', {
  referrer: publicKey,
  mint: publicKey,
  amountUnclaimedSf: u128,
  amountCumulativeSf: u128,
  bump: u64,
  padding: padding(bytes(31 * 8)),
});

export type ReferrerTokenState = StructOf<typeof referrerTokenState.body.fields>;
