import type { FarmModel } from './farm-model.ts';
import { excludePastRewards, restartIssuance } from './rewards.ts';
import { activatePendingDeposit } from './stakes.ts';
import type { UserModel } from './user-model.ts';

/** Makes a deposit active once its warm-up is over. */
export function activateDueDeposit(farm: FarmModel, user: UserModel, ts: bigint): void {
  restartIssuance(farm, ts);
  if (user.pendingDepositStakeScaled === 0n || ts < user.pendingDepositStakeTs) return;
  excludePastRewards(farm, user, activatePendingDeposit(farm, user));
}
