import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u64 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import type { StructOf } from '../layout/struct.ts';

/** One per wallet: its referrer and its lookup table (the default key for none). */
export const userMetadata = accountLayout('UserMetadata', '9dd6dceb6287ab1c', {
  referrer: publicKey,
  bump: u64,
  userLookupTable: publicKey,
  owner: publicKey,
  padding1: padding(bytes(51 * 8)),
  padding2: padding(bytes(64 * 8)),
});

export type UserMetadata = StructOf<typeof userMetadata.body.fields>;
