import { farmState } from '@sluice/protocol/farms/farm-state';
import { userState } from '@sluice/protocol/farms/user-state';
import type { Address } from '@solana/kit';
import type { FarmStake } from '../domain/farm-stake.ts';
import type { ChangedAccounts } from './account-changes.ts';

/** Writes a stake and its farm as an action leaves them. Both accounts must exist. */
export function writeStake(
  changes: ChangedAccounts,
  { farm, user }: { readonly farm: Address; readonly user: Address },
  { active, pending, rewards, ...stake }: FarmStake,
): void {
  changes.patch(user, userState, {
    rewardsTallyScaled: rewards.tallyScaled,
    rewardsIssuedUnclaimed: rewards.unclaimed,
    lastClaimTs: rewards.lastClaimTs,
    activeStakeScaled: stake.staked,
    pendingDepositStakeScaled: stake.entering,
    pendingDepositStakeTs: stake.enteringUntil,
    pendingWithdrawalUnstakeScaled: stake.leaving,
    pendingWithdrawalUnstakeTs: stake.leavingUntil,
    lastStakeTs: stake.lastStakeTs,
  });
  changes.patch(farm, farmState, {
    rewardInfos: rewards.issued,
    totalStakedAmount: active.amount,
    totalActiveStakeScaled: active.shares,
    totalPendingAmount: pending.amount,
    totalPendingStakeScaled: pending.shares,
  });
}
