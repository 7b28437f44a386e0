import type { RewardInfo } from '@sluice/protocol/farms/farm-state';
import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted, ensure } from '../anchor.ts';
import { FARM } from './farm-errors.ts';

type Points = RewardInfo['rewardScheduleCurve']['points'];

/** Units that the schedule issues from one time to another, before the rate's decimals are divided out. */
export function scheduledBetween(points: Points, from: bigint, to: bigint): bigint {
  ensure(from <= to, FARM.invalidTimestamp);
  const [first] = points;
  ensure(first !== undefined && first.tsStart <= from, FARM.invalidRpsCurvePoint);
  let total = 0n;
  points.forEach(({ tsStart, rewardPerTimeUnit }, i) => {
    const next = points[i + 1]?.tsStart ?? U64_MAX;
    const start = tsStart > from ? tsStart : from;
    const end = next < to ? next : to;
    if (end > start) total += rewardPerTimeUnit * (end - start);
  });
  if (total > U64_MAX) throw aborted();
  return total;
}
