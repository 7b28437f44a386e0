import { type FarmState, MAX_REWARDS } from '@sluice/protocol/farms/farm-state';
import type { UserState } from '@sluice/protocol/farms/user-state';
import { WAD } from '@sluice/protocol/numeric/fraction';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Moment } from './moment.ts';
import { farmTime } from './reward-schedule.ts';
import { earnedReward, perShareScaled, unissuedReward } from './rewards.ts';

/**
 * The rewards of a farm and what one stake has earned of them, with the program's rounding. The lists are by index of the
 * reward.
 */
export interface StakeRewards {
  readonly issued: readonly IssuedReward[];
  /** Reward that counts as credited: earned at the last credit, or before the stake began. Base units, scaled by 10^18. */
  readonly tallyScaled: readonly bigint[];
  /** Credited to the stake and not harvested, base units. */
  readonly unclaimed: readonly bigint[];
  /** In the farm's unit of time. */
  readonly lastClaimTs: readonly bigint[];
}

/** The figures of a farm's reward that instructions change, as its account has them. */
export interface IssuedReward {
  readonly rewardsAvailable: bigint;
  readonly lastIssuanceTs: bigint;
  readonly rewardsIssuedUnclaimed: bigint;
  readonly rewardsIssuedCumulative: bigint;
  readonly rewardPerShareScaled: bigint;
}

/**
 * Issues the rewards of a farm up to now and credits the stake with its part. The program does so before it changes a stake.
 *
 * @param user null for a stake that begins now.
 * @param oracleRate what a farm with an oracle multiplies its schedule by.
 */
export function creditedRewards(
  farm: FarmState,
  user: UserState | null,
  moment: Moment,
  oracleRate: Rational,
): StakeRewards {
  const now = farmTime(farm, moment);
  const issued = farm.rewardInfos
    .slice(0, Number(farm.numRewardTokens))
    .map((info) => issuedReward(farm, info, moment, oracleRate));
  const none = Array.from({ length: MAX_REWARDS }, () => 0n);
  const tally = user?.rewardsTallyScaled ?? none;
  const earned = issued.map(({ rewardPerShareScaled }, index) =>
    user === null || user.activeStakeScaled === 0n
      ? 0n
      : earnedReward(farm, user, rewardPerShareScaled, index),
  );
  return {
    issued,
    tallyScaled: tally.map((held, index) => held + (earned[index] ?? 0n) * WAD),
    unclaimed: (user?.rewardsIssuedUnclaimed ?? none).map((held, index) => held + (earned[index] ?? 0n)),
    lastClaimTs: user?.lastClaimTs ?? none.map(() => now),
  };
}

function issuedReward(
  farm: FarmState,
  info: FarmState['rewardInfos'][number],
  moment: Moment,
  oracleRate: Rational,
): IssuedReward {
  const { rewardsAvailable, rewardsIssuedUnclaimed, rewardsIssuedCumulative, rewardPerShareScaled } = info;
  const now = farmTime(farm, moment);
  const { released, funded } = unissuedReward(farm, info, moment, oracleRate);
  // Time stays while less than a unit is released, so that the fraction is not lost.
  const moves = released > 0n || farm.totalActiveStakeScaled === 0n;
  return {
    rewardsAvailable: rewardsAvailable - funded,
    lastIssuanceTs: moves ? now : info.lastIssuanceTs,
    rewardsIssuedUnclaimed: rewardsIssuedUnclaimed + funded,
    rewardsIssuedCumulative: rewardsIssuedCumulative + funded,
    rewardPerShareScaled: rewardPerShareScaled + perShareScaled(farm, funded),
  };
}

/** After a stake has grown: the new shares have no part in the rewards issued before. @param shares scaled by 10^18 */
export function withAddedShares(rewards: StakeRewards, shares: bigint): StakeRewards {
  return withTally(rewards, (held, perShare) => held + (shares * perShare) / WAD);
}

/** After a part of a stake has ended. @param shares scaled by 10^18 */
export function withoutShares(rewards: StakeRewards, shares: bigint): StakeRewards {
  return withTally(rewards, (held, perShare) => atLeastZero(held - (shares * perShare) / WAD));
}

/** After a delegated stake was set. @param stake not scaled */
export function withDelegatedStake(rewards: StakeRewards, stake: bigint): StakeRewards {
  return withTally(rewards, (_, perShare) => perShare * stake);
}

function withTally(
  rewards: StakeRewards,
  tally: (held: bigint, perShareScaled: bigint) => bigint,
): StakeRewards {
  const { issued, tallyScaled } = rewards;
  return {
    ...rewards,
    tallyScaled: tallyScaled.map((held, index) => {
      const reward = issued[index];
      return reward === undefined ? held : tally(held, reward.rewardPerShareScaled);
    }),
  };
}

/** A farm without stakes releases nothing: its schedule goes on when the first stake arrives. */
export function restartedRewards(rewards: StakeRewards, now: bigint): StakeRewards {
  return { ...rewards, issued: rewards.issued.map((reward) => ({ ...reward, lastIssuanceTs: now })) };
}

/** After one reward was harvested. A harvest of nothing does not count as a claim. */
export function withHarvest(rewards: StakeRewards, index: number, now: bigint): StakeRewards {
  const amount = rewards.unclaimed[index] ?? 0n;
  if (amount === 0n) return rewards;
  return {
    ...rewards,
    issued: rewards.issued.map((reward, at) =>
      at === index
        ? { ...reward, rewardsIssuedUnclaimed: atLeastZero(reward.rewardsIssuedUnclaimed - amount) }
        : reward,
    ),
    unclaimed: rewards.unclaimed.with(index, 0n),
    lastClaimTs: rewards.lastClaimTs.with(index, now),
  };
}
