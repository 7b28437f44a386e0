import type { FarmState, RewardInfo } from '@sluice/protocol/farms/farm-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Moment } from './moment.ts';

/** A period of the schedule with one rate, up to the start of the next; the last one has no end. */
interface RatePeriod {
  readonly start: bigint;
  readonly end: bigint | null;
  readonly rate: bigint;
}

/** `timeUnit` of a farm that counts slots instead of seconds. */
const SLOTS = 1;
/** `rewardType` of a reward paid per staked unit instead of shared among all stakers. */
const CONSTANT = 1;

/** The current time in the farm's unit: unix seconds or slots. */
export function farmTime({ timeUnit }: FarmState, moment: Moment): bigint {
  return timeUnit === SLOTS ? moment.slot : moment.timestamp;
}

/** Seconds per time unit of the farm. */
export function secondsPerTimeUnit({ timeUnit }: FarmState, { slotDurationMs }: Moment): Rational {
  return timeUnit === SLOTS ? slotDurationMs.div(integer(1000)) : integer(1);
}

const periodsByReward = new WeakMap<RewardInfo, readonly RatePeriod[]>();

function ratePeriods(reward: RewardInfo): readonly RatePeriod[] {
  const periods = periodsByReward.get(reward) ?? readPeriods(reward);
  periodsByReward.set(reward, periods);
  return periods;
}

function readPeriods({ rewardScheduleCurve }: RewardInfo): RatePeriod[] {
  const points = rewardScheduleCurve.points.filter(({ tsStart }) => tsStart !== U64_MAX);
  return points.map(({ tsStart, rewardPerTimeUnit }, index) => ({
    start: tsStart,
    end: points[index + 1]?.tsStart ?? null,
    rate: rewardPerTimeUnit,
  }));
}

/** The scheduled rate at a time, unscaled: that of the current period, or of the first one if it is still to come. */
export function scheduledRate(reward: RewardInfo, time: bigint): bigint {
  const periods = ratePeriods(reward);
  return (periods.findLast(({ start }) => start <= time) ?? periods[0])?.rate ?? 0n;
}

/** The amount that the schedule releases between two times, unscaled. */
export function scheduledBetween(reward: RewardInfo, from: bigint, to: bigint): bigint {
  let released = 0n;
  for (const { start, end, rate } of ratePeriods(reward)) {
    const first = start > from ? start : from;
    const last = end !== null && end < to ? end : to;
    if (last > first) released += rate * (last - first);
  }
  return released;
}

/** Factor from an unscaled amount of the schedule to base units of the reward token. */
export function rewardScale(farm: FarmState, reward: RewardInfo): Rational {
  const stake = reward.rewardType === CONSTANT ? farm.totalStakedAmount : 1n;
  return Rational.of(stake, 10n ** BigInt(reward.rewardsPerSecondDecimals));
}

/**
 * When the reward ends (unix seconds): its funds run out or its schedule drops to zero for good. Null when it pays nothing
 * from now on.
 */
export function rewardEndsAt(farm: FarmState, reward: RewardInfo, moment: Moment): bigint | null {
  const now = farmTime(farm, moment);
  const scale = rewardScale(farm, reward);
  let funds = integer(reward.rewardsAvailable);
  let lastPaid: bigint | null = null;
  for (const { start, end, rate } of ratePeriods(reward)) {
    const from = start > reward.lastIssuanceTs ? start : reward.lastIssuanceTs;
    const perUnit = scale.mul(integer(rate));
    if (perUnit.isZero || funds.isZero || (end !== null && end <= from)) continue;
    const exhausted = from + funds.div(perUnit).floor();
    if (end === null || exhausted <= end) {
      lastPaid = exhausted;
      funds = ZERO;
    } else {
      lastPaid = end;
      funds = funds.sub(perUnit.mul(integer(end - from)));
    }
  }
  if (lastPaid === null || lastPaid <= now) return null;
  const ahead = integer(lastPaid - now).mul(secondsPerTimeUnit(farm, moment));
  return moment.timestamp + ahead.floor();
}
