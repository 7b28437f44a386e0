import { type FarmState, MAX_REWARDS, type RewardInfo } from '@sluice/protocol/farms/farm-state';
import type { GlobalConfig } from '@sluice/protocol/farms/global-config';
import type { UserState } from '@sluice/protocol/farms/user-state';
import { FULL_BPS, WAD } from '@sluice/protocol/numeric/fraction';
import { atLeastZero, lesser } from '@sluice/protocol/numeric/integer';
import { integer, ONE, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
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
  return Rational.of(amount, stakeScale(farm));
}

/** Scale in which one staked base unit is stored. */
const stakeScale = ({ isFarmDelegated }: FarmState): bigint => (isFarmDelegated === 0 ? WAD : 1n);

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

/**
 * Base units of a reward that a harvest now would take, with the program's rounding: stored, plus earned since the last
 * update of farm and user. Ignores the program's own cut and the minimum time between claims.
 *
 * @param oracleRate what a farm with an oracle multiplies its schedule by.
 */
export function claimableReward(
  farm: FarmState,
  user: UserState,
  { index, info }: FarmReward,
  moment: Moment,
  oracleRate: Rational = ONE,
): bigint {
  const { funded } = unissuedReward(farm, info, moment, oracleRate);
  const perShare = info.rewardPerShareScaled + perShareScaled(farm, funded);
  return (user.rewardsIssuedUnclaimed[index] ?? 0n) + earnedReward(farm, user, perShare, index);
}

/** Whole base units that a stake has earned since its last credit. @param perShare issued so far, scaled by 10^18 */
export function earnedReward(farm: FarmState, user: UserState, perShare: bigint, index: number): bigint {
  const dueScaled = (perShare * user.activeStakeScaled) / stakeScale(farm);
  return atLeastZero(dueScaled - (user.rewardsTallyScaled[index] ?? 0n)) / WAD;
}

/** Base units of a reward since the farm's last update: those of the schedule, and as far as the farm has them. */
export function unissuedReward(
  farm: FarmState,
  info: RewardInfo,
  moment: Moment,
  oracleRate: Rational,
): { readonly released: bigint; readonly funded: bigint } {
  if (farm.totalActiveStakeScaled === 0n) return { released: 0n, funded: 0n };
  const scheduled = scheduledBetween(info, info.lastIssuanceTs, farmTime(farm, moment));
  const released = oracleRate.mul(integer(rewardScale(farm, info).mul(integer(scheduled)).floor())).floor();
  return { released, funded: lesser(released, info.rewardsAvailable) };
}

/** Share of an amount for one staked base unit, times 10^18. */
export function perShareScaled(farm: FarmState, amount: bigint): bigint {
  if (farm.totalActiveStakeScaled === 0n) return 0n;
  return (amount * WAD * stakeScale(farm)) / farm.totalActiveStakeScaled;
}

/** Payment of a harvest of a reward. */
export interface Harvest {
  /** Base units paid to the staker. */
  readonly paid: bigint;
  /** Base units that the program keeps. */
  readonly treasury: bigint;
}

/** Splits a claimable amount between the staker and the program's treasury. */
export function harvestOf(claimable: bigint, { treasuryFeeBps }: GlobalConfig): Harvest {
  const treasury = (claimable * treasuryFeeBps) / FULL_BPS;
  return { paid: claimable - treasury, treasury };
}

/** Time until the program lets the user claim the reward again, in the farm's unit; 0 when it does now. */
export function untilClaim(
  farm: FarmState,
  user: UserState,
  { index, info }: FarmReward,
  moment: Moment,
): bigint {
  return atLeastZero((user.lastClaimTs[index] ?? 0n) + info.minClaimDurationSeconds - farmTime(farm, moment));
}
