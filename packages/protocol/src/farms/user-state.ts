import { accountLayout } from '../layout/account.ts';
import { bytes, publicKey, u8, u64, u128 } from '../layout/codec.ts';
import { padding } from '../layout/padding.ts';
import { array, type StructOf } from '../layout/struct.ts';
import { MAX_REWARDS } from './farm-state.ts';

/** One stake in one farm. Stakes are scaled by 10^18; in a delegated farm the delegatee is the obligation. */
export const userState = accountLayout('UserState', '48b155f94ca7ba7e', {
  userId: u64,
  farmState: publicKey,
  owner: publicKey,
  isFarmDelegated: u8,
  padding0: padding(bytes(7)),
  rewardsTallyScaled: array(u128, MAX_REWARDS),
  rewardsIssuedUnclaimed: array(u64, MAX_REWARDS),
  lastClaimTs: array(u64, MAX_REWARDS),
  activeStakeScaled: u128,
  pendingDepositStakeScaled: u128,
  pendingDepositStakeTs: u64,
  pendingWithdrawalUnstakeScaled: u128,
  pendingWithdrawalUnstakeTs: u64,
  bump: u64,
  delegatee: publicKey,
  lastStakeTs: u64,
  rewardsIssuedCumulative: array(u64, MAX_REWARDS),
  padding1: padding(bytes(40 * 8)),
});

export type UserState = StructOf<typeof userState.body.fields>;
