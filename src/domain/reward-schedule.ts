import { U64_MAX } from '../numeric/fraction.ts';
import { integer, Rational, ZERO } from '../numeric/rational.ts';
import type { FarmState, RewardInfo } from '../programs/farms/farm-state.ts';
import type { Moment } from './moment.ts';

/** A stretch of the schedule with one rate, from its start up to the next; the last one has no end. */
interface Stretch {
  readonly start: bigint;
  readonly end: bigint | null;
  readonly rate: bigint;
}

/** A farm counts either seconds or slots. */
const SLOTS = 1;
/** Rewards are paid per staked unit instead of shared among all. */
const CONSTANT = 1;

/** Now, as the farm counts: unix seconds or slots. */
export function farmTime({ timeUnit }: FarmState, moment: Moment): bigint {
  return timeUnit === SLOTS ? moment.slot : moment.timestamp;
}

/** Seconds in one unit of the farm's time. */
export function secondsPerTimeUnit({ timeUnit }: FarmState, { slotDurationMs }: Moment): Rational {
  return timeUnit === SLOTS ? slotDurationMs.div(integer(1000)) : integer(1);
}

const known = new WeakMap<RewardInfo, readonly Stretch[]>();

function stretches(reward: RewardInfo): readonly Stretch[] {
  const schedule = known.get(reward) ?? readStretches(reward);
  known.set(reward, schedule);
  return schedule;
}

function readStretches({ rewardScheduleCurve }: RewardInfo): Stretch[] {
  const points = rewardScheduleCurve.points.filter(({ tsStart }) => tsStart !== U64_MAX);
  return points.map(({ tsStart, rewardPerTimeUnit }, index) => ({
    start: tsStart,
    end: points[index + 1]?.tsStart ?? null,
    rate: rewardPerTimeUnit,
  }));
}

/** The scheduled rate at a time, unscaled: the stretch that contains it, else the first one to come. */
export function scheduledRate(reward: RewardInfo, time: bigint): bigint {
  const all = stretches(reward);
  return (all.findLast(({ start }) => start <= time) ?? all[0])?.rate ?? 0n;
}

/** What the schedule releases between two times, unscaled. */
export function scheduledBetween(reward: RewardInfo, from: bigint, to: bigint): bigint {
  let released = 0n;
  for (const { start, end, rate } of stretches(reward)) {
    const first = start > from ? start : from;
    const last = end !== null && end < to ? end : to;
    if (last > first) released += rate * (last - first);
  }
  return released;
}

/** From an unscaled figure of the schedule to base units of the reward token. */
export function rewardScale(farm: FarmState, reward: RewardInfo): Rational {
  const stake = reward.rewardType === CONSTANT ? farm.totalStakedAmount : 1n;
  return Rational.of(stake, 10n ** BigInt(reward.rewardsPerSecondDecimals));
}

/**
 * When the reward stops (unix seconds): its funds are used up or its schedule falls to zero for good. Null when it pays
 * nothing from now on.
 */
export function rewardEndsAt(farm: FarmState, reward: RewardInfo, moment: Moment): bigint | null {
  const now = farmTime(farm, moment);
  const scale = rewardScale(farm, reward);
  let funds = integer(reward.rewardsAvailable);
  let lastPaid: bigint | null = null;
  for (const { start, end, rate } of stretches(reward)) {
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
