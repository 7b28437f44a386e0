import { setStakeDelegated as layout } from '@sluice/protocol/farms/instructions';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted, anchorInstruction, ensure } from '../anchor.ts';
import { checkHasOne } from '../anchor-accounts.ts';
import { FARM } from './farm-errors.ts';
import { FarmModel } from './farm-model.ts';
import { refuseRemaining } from './remaining-accounts.ts';
import { creditRewards, issueRewards, restartIssuance } from './rewards.ts';
import { checkDepositCap } from './stakes.ts';
import { UserModel } from './user-model.ts';

/** The delegate authority, for instance a lending market, reports the stake of a delegatee. */
export const setStakeDelegated = anchorInstruction(
  layout,
  10_000,
  ({ invocation, accounts, args, remaining }) => {
    const { delegateAuthority, userState, farmState } = accounts;
    const user = new UserModel(userState);
    const farm = new FarmModel(farmState);
    checkHasOne(user.state.farmState, farmState);
    refuseRemaining(remaining);
    ensure(farm.isDelegated, FARM.farmNotDelegated);
    const allowed = [farm.state.delegateAuthority, farm.state.secondDelegatedAuthority];
    ensure(allowed.includes(delegateAuthority.address), FARM.authorityFarmDelegateMissmatch);

    if (setStake(farm, user, args.newAmount, farm.now(invocation.clock))) {
      farm.save();
      user.save();
    }
  },
);

/** False when the stake stays the same: then not even rewards are issued. */
function setStake(farm: FarmModel, user: UserModel, newStake: bigint, ts: bigint): boolean {
  mustHoldNothing(farm);
  const stake = user.activeStakeScaled;
  if (stake > U64_MAX) throw aborted();
  if (stake === newStake) return false;
  issueRewards(farm, null, ts);
  creditRewards(farm, user);
  if (newStake > stake) {
    restartIssuance(farm, ts);
    user.lastStakeTs = ts;
    checkDepositCap(farm, newStake - stake, null, ts);
  }
  farm.totalActiveStakeScaled += newStake - stake;
  farm.totalStakedAmount += newStake - stake;
  user.activeStakeScaled = newStake;
  farm.rewards.forEach(({ rewardPerShareScaled }, i) => {
    user.rewardsTallyScaled[i] = rewardPerShareScaled * newStake;
  });
  return true;
}

/** A delegated farm has no tokens, so its shares are its amounts and nothing is pending. */
function mustHoldNothing(farm: FarmModel): void {
  const { depositWarmupPeriod, withdrawalCooldownPeriod } = farm.state;
  const holds =
    farm.totalActiveStakeScaled !== farm.totalStakedAmount ||
    farm.totalPendingStakeScaled !== 0n ||
    farm.totalPendingAmount !== 0n ||
    depositWarmupPeriod !== 0 ||
    withdrawalCooldownPeriod !== 0;
  if (holds) throw aborted();
}
