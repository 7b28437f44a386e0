import { userState } from '@sluice/protocol/farms/user-state';
import { toDecimalString } from '@sluice/protocol/numeric/decimal';
import { U64_MAX, WAD } from '@sluice/protocol/numeric/fraction';
import { integer } from '@sluice/protocol/numeric/rational';
import { MAINNET_PROGRAMS, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import { describe, expect, it } from 'vitest';
import { rewardEndsAt, scheduledBetween, scheduledRate } from '../../src/domain/reward-schedule.ts';
import {
  claimableReward,
  type FarmReward,
  farmRewards,
  rewardApr,
  rewardPerSecond,
  totalStaked,
} from '../../src/domain/rewards.ts';
import { type FarmInput, makeFarm, NOW } from '../support/domain/domain-accounts.ts';

const { farms } = MAINNET_PROGRAMS;
const T = NOW.timestamp;

type RewardInput = NonNullable<FarmInput['rewardInfos']>[number];

function farmWith(reward: RewardInput, points: [bigint, bigint][], farm: FarmInput = {}) {
  const account = makeFarm({
    numRewardTokens: 1n,
    totalStakedAmount: 4_000n,
    totalActiveStakeScaled: 4_000n * WAD,
    ...farm,
    rewardInfos: [
      {
        token: { mint: WRAPPED_SOL_MINT, decimals: 9n },
        rewardsAvailable: 10n ** 12n,
        lastIssuanceTs: T - 100n,
        ...reward,
        rewardScheduleCurve: {
          points: Array.from({ length: 20 }, (_, index) => ({
            tsStart: points[index]?.[0] ?? U64_MAX,
            rewardPerTimeUnit: points[index]?.[1] ?? 0n,
          })),
        },
      },
    ],
  });
  const [first] = farmRewards(account);
  if (first === undefined) throw new Error('no reward');
  return { account, reward: first as FarmReward };
}

describe('a reward schedule', () => {
  it('has the rate of the current period, or of the first if it is still to come', () => {
    const { reward } = farmWith({}, [
      [T, 5n],
      [T + 10n, 7n],
    ]);
    expect(scheduledRate(reward.info, T - 1n)).toBe(5n);
    expect(scheduledRate(reward.info, T + 9n)).toBe(5n);
    expect(scheduledRate(reward.info, T + 10n)).toBe(7n);
    expect(scheduledRate(reward.info, T + 10n ** 9n)).toBe(7n);
    expect(scheduledBetween(reward.info, T - 100n, T + 12n)).toBe(64n);
  });

  it('ends when its funds or its last paying period end', () => {
    const open = farmWith({ rewardsAvailable: 1_000n }, [[T - 200n, 2n]]);
    expect(rewardEndsAt(open.account, open.reward.info, NOW)).toBe(T + 400n);
    const planned = farmWith({}, [
      [T - 200n, 2n],
      [T + 50n, 0n],
    ]);
    expect(rewardEndsAt(planned.account, planned.reward.info, NOW)).toBe(T + 50n);
    const over = farmWith({}, [
      [T - 200n, 2n],
      [T - 50n, 0n],
    ]);
    expect(rewardEndsAt(over.account, over.reward.info, NOW)).toBeNull();
    const broke = farmWith({ rewardsAvailable: 0n }, [[T - 200n, 2n]]);
    expect(rewardEndsAt(broke.account, broke.reward.info, NOW)).toBeNull();
  });
});

describe('a reward', () => {
  it('pays whole tokens per second, also when the farm counts slots', () => {
    const points: [bigint, bigint][] = [[0n, 25_000_000n]];
    const seconds = farmWith({ rewardsPerSecondDecimals: 1 }, points);
    expect(toDecimalString(rewardPerSecond(seconds.account, seconds.reward.info, NOW))).toBe('0.0025');
    const slots = farmWith({ rewardsPerSecondDecimals: 1 }, points, { timeUnit: 1 });
    expect(toDecimalString(rewardPerSecond(slots.account, slots.reward.info, NOW))).toBe('0.00625');
    const perUnit = farmWith({ rewardType: 1 }, points);
    expect(toDecimalString(rewardPerSecond(perUnit.account, perUnit.reward.info, NOW))).toBe('100');
    const broke = farmWith({ rewardsAvailable: 0n }, points);
    expect(toDecimalString(rewardPerSecond(broke.account, broke.reward.info, NOW))).toBe('0');
  });

  it('has an APR when prices are known', () => {
    expect(rewardApr(integer(1), integer(2), integer(31_536_000))?.toNumber()).toBe(2);
    expect(rewardApr(integer(1), null, integer(1))).toBeNull();
    expect(rewardApr(integer(1), integer(1), null)).toBeNull();
    expect(rewardApr(integer(1), integer(1), integer(0))?.toNumber()).toBe(0);
  });

  it('is claimable as if the farm were refreshed now', () => {
    const { account, reward } = farmWith({ rewardPerShareScaled: 3n * WAD }, [[T - 200n, 40n]]);
    const user = userState.decode(
      {
        owner: farms,
        data: userState.encode({
          activeStakeScaled: 1_000n * WAD,
          rewardsTallyScaled: [2_500n * WAD],
          rewardsIssuedUnclaimed: [11n],
        }),
      },
      farms,
    );
    expect(toDecimalString(totalStaked(account))).toBe('4000');
    // 3 per share stored, 4000 released over 100 s for 4000 shares; 2500 already accounted for.
    expect(claimableReward(account, user, reward, NOW)).toBe(11n + 3_000n + 1_000n - 2_500n);
  });
});
