import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted, ensure } from '../anchor.ts';
import { FARM } from './farm-errors.ts';
import type { FarmModel, RewardModel } from './farm-model.ts';
import { scheduledBetween } from './reward-schedule.ts';
import { adjustedByOracle, powerOfTen, type ScopePrice } from './scope-price.ts';
import { at, type UserModel } from './user-model.ts';
import { wadDifference, wadOf, wadProduct, wadQuotient, wholeOf } from './wad-decimal.ts';

const CONSTANT = 1;

/** Issues every reward up to `ts`, in the farm's unit of time. */
export function issueRewards(farm: FarmModel, price: ScopePrice | null, ts: bigint): void {
  for (const reward of farm.rewards) issueReward(farm, reward, price, ts);
}

function issueReward(farm: FarmModel, reward: RewardModel, price: ScopePrice | null, ts: bigint): void {
  if (ts === reward.lastIssuanceTs) return;
  if (farm.totalActiveStakeScaled === 0n) {
    reward.lastIssuanceTs = ts;
    return;
  }
  const amount = amountToIssue(farm, reward, price, ts);
  // The time stays, so that the fraction of a unit is not lost.
  if (amount === 0n) return;
  const issued = amount < reward.rewardsAvailable ? amount : reward.rewardsAvailable;
  reward.lastIssuanceTs = ts;
  reward.rewardsIssuedUnclaimed = fitting(reward.rewardsIssuedUnclaimed + issued);
  reward.rewardsIssuedCumulative = fitting(reward.rewardsIssuedCumulative + issued);
  reward.rewardsAvailable -= issued;
  reward.rewardPerShareScaled += farm.isDelegated
    ? wadOf(issued) / farm.totalActiveStakeScaled
    : wadQuotient(wadOf(issued), farm.totalActiveStakeScaled);
}

function amountToIssue(
  farm: FarmModel,
  { info, lastIssuanceTs }: RewardModel,
  price: ScopePrice | null,
  ts: bigint,
): bigint {
  if (info.rewardType > CONSTANT) throw aborted();
  const scheduled = scheduledBetween(info.rewardScheduleCurve.points, lastIssuanceTs, ts);
  const units = info.rewardType === CONSTANT ? scheduled * farm.totalStakedAmount : scheduled;
  const amount = units / powerOfTen(BigInt(info.rewardsPerSecondDecimals));
  const adjusted = adjustedByOracle(farm, amount, price, ts);
  if (adjusted > U64_MAX) throw aborted();
  return adjusted;
}

function fitting(amount: bigint): bigint {
  ensure(amount <= U64_MAX, FARM.integerOverflow);
  return amount;
}

/** Credits a stake with what it has earned of one reward, in whole units. */
export function creditReward(farm: FarmModel, user: UserModel, index: number): void {
  const reward = farm.rewards[index];
  if (reward === undefined) throw aborted();
  const { rewardPerShareScaled } = reward;
  const tally = at(user.rewardsTallyScaled, index);
  const due = farm.isDelegated
    ? rewardPerShareScaled * user.activeStakeScaled
    : wadProduct(rewardPerShareScaled, user.activeStakeScaled);
  const earned = wholeOf(wadDifference(due, tally));
  ensure(earned !== null, FARM.integerOverflow);
  user.rewardsTallyScaled[index] = tally + wadOf(earned);
  user.rewardsIssuedUnclaimed[index] = at(user.rewardsIssuedUnclaimed, index) + earned;
  const cumulative = at(user.rewardsIssuedCumulative, index) + earned;
  user.rewardsIssuedCumulative[index] = cumulative > U64_MAX ? U64_MAX : cumulative;
}

export function creditRewards(farm: FarmModel, user: UserModel): void {
  if (user.activeStakeScaled === 0n) return;
  farm.rewards.forEach((_, index) => {
    creditReward(farm, user, index);
  });
}

/** Rewards issued before shares were added do not belong to them. */
export function excludePastRewards(farm: FarmModel, user: UserModel, addedShares: bigint): void {
  farm.rewards.forEach(({ rewardPerShareScaled }, i) => {
    user.rewardsTallyScaled[i] =
      at(user.rewardsTallyScaled, i) + wadProduct(addedShares, rewardPerShareScaled);
  });
}

/** A farm without stake issues nothing: its schedule goes on when the first stake arrives. */
export function restartIssuance(farm: FarmModel, ts: bigint): void {
  if (farm.totalStakedAmount !== 0n) return;
  for (const reward of farm.rewards) reward.lastIssuanceTs = ts;
}
