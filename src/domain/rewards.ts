import { fromWad } from '../numeric/fraction.ts';
import { integer, type Rational, ZERO } from '../numeric/rational.ts';
import { type FarmState, MAX_REWARDS, type RewardInfo } from '../programs/farms/farm-state.ts';
import type { UserState } from '../programs/farms/user-state.ts';
import { presentAddress } from '../programs/program-ids.ts';
import { ratio, toTokens } from './arithmetic.ts';
import { type Moment, SECONDS_PER_YEAR } from './moment.ts';
import {
  farmTime,
  rewardScale,
  scheduledBetween,
  scheduledRate,
  secondsPerTimeUnit,
} from './reward-schedule.ts';

/** One reward of a farm and its index in the account, which user states refer to. */
export interface FarmReward {
  readonly index: number;
  readonly info: RewardInfo;
}

const rewardsByFarm = new WeakMap<FarmState, readonly FarmReward[]>();

/** The rewards of a farm that have a token. */
export function farmRewards(farm: FarmState): readonly FarmReward[] {
  const rewards = rewardsByFarm.get(farm) ?? readRewards(farm);
  rewardsByFarm.set(farm, rewards);
  return rewards;
}

function readRewards(farm: FarmState): FarmReward[] {
  const count = farm.numRewardTokens < BigInt(MAX_REWARDS) ? Number(farm.numRewardTokens) : MAX_REWARDS;
  return farm.rewardInfos
    .slice(0, count)
    .map((info, index) => ({ index, info }))
    .filter(({ info }) => presentAddress(info.token.mint) !== null);
}

/** Whole reward tokens per second for all stakers together; 0 once the funds have run out. */
export function rewardPerSecond(farm: FarmState, reward: RewardInfo, moment: Moment): Rational {
  if (reward.rewardsAvailable === 0n) return ZERO;
  const perTimeUnit = rewardScale(farm, reward).mul(integer(scheduledRate(reward, farmTime(farm, moment))));
  return toTokens(ratio(perTimeUnit, secondsPerTimeUnit(farm, moment)), reward.token.decimals);
}

/** Active stake, base units. A delegated farm (of a reserve) stores it unscaled. */
export function totalStaked(farm: FarmState): Rational {
  return stake(farm, farm.totalActiveStakeScaled);
}

/** A user's active stake, base units. */
export function userStaked(farm: FarmState, user: UserState): Rational {
  return stake(farm, user.activeStakeScaled);
}

function stake(farm: FarmState, amount: bigint): Rational {
  return farm.isFarmDelegated === 0 ? fromWad(amount) : integer(amount);
}

/**
 * Yearly rate of a farm's or a campaign's reward, not compounded: value paid per year / value that earns it. 0 when
 * nothing earns; null when the reward's price or the earning value is unknown.
 *
 * @param perSecond whole reward tokens per second.
 */
export function rewardApr(
  perSecond: Rational,
  rewardPriceUsd: Rational | null,
  earningUsd: Rational | null,
): Rational | null {
  if (rewardPriceUsd === null || earningUsd === null) return null;
  return ratio(perSecond.mul(rewardPriceUsd).mul(integer(SECONDS_PER_YEAR)), earningUsd);
}

/** Base units of a reward that a user can claim now: stored, plus earned since the last update of farm and user. */
export function claimableReward(
  farm: FarmState,
  user: UserState,
  { index, info }: FarmReward,
  moment: Moment,
): bigint {
  const perShare = fromWad(info.rewardPerShareScaled).add(unissuedPerShare(farm, info, moment));
  const tally = fromWad(user.rewardsTallyScaled[index] ?? 0n);
  const earned = perShare.mul(userStaked(farm, user)).sub(tally).floor();
  return (user.rewardsIssuedUnclaimed[index] ?? 0n) + (earned > 0n ? earned : 0n);
}

/** Base units per staked base unit that the schedule has released since the farm's last update. */
function unissuedPerShare(farm: FarmState, info: RewardInfo, moment: Moment): Rational {
  const released = scheduledBetween(info, info.lastIssuanceTs, farmTime(farm, moment));
  const amount = rewardScale(farm, info).mul(integer(released)).floor();
  const funded = amount < info.rewardsAvailable ? amount : info.rewardsAvailable;
  return ratio(integer(funded), totalStaked(farm));
}
