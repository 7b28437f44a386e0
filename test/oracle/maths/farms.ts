import {
  FarmState,
  type FarmStateFields,
} from '@kamino-finance/farms-sdk/dist/@codegen/farms/accounts/FarmState.js';
import { getRewardPerTimeUnitSecond } from '@kamino-finance/klend-sdk/dist/classes/farm_utils.js';
import sdkDecimal from 'decimal.js/decimal.js';
import { U64_MAX, UNIX_SECONDS } from '../constants.ts';
import { bn, type Overrides } from '../fill.ts';
import type { Json } from '../normalise.ts';
import { Prng } from '../prng.ts';
import { atFixedTime } from './fixed-clock.ts';
import { moment, plainDecimal, plainReserve, USUAL_SLOT_MS, worldReserve } from './lending-world.ts';
import { sdkAccount } from './sdk-account.ts';

type Fields = Overrides<FarmStateFields>;
type Reward = NonNullable<NonNullable<Fields['rewardInfos']>[number]>;

/** Points of a schedule as seconds from now and rate; the places that are left start never. */
const schedule = (...points: [number, number][]): Reward['rewardScheduleCurve'] => ({
  points: Array.from({ length: 20 }, (_, index) => {
    const point = points[index];
    return point === undefined
      ? { tsStart: bn(U64_MAX), rewardPerTimeUnit: bn(0) }
      : { tsStart: bn(UNIX_SECONDS + BigInt(point[0])), rewardPerTimeUnit: bn(point[1]) };
  }),
});

const named: [name: string, reward: Reward][] = [
  ['constant since long', { rewardScheduleCurve: schedule([-10_000_000, 250_000]) }],
  ['second stretch', { rewardScheduleCurve: schedule([-10_000, 99], [-5, 1_234_567], [1_000, 1]) }],
  ['not begun', { rewardScheduleCurve: schedule([500, 777], [1_000, 5]) }],
  ['over', { rewardScheduleCurve: schedule([-10_000, 99], [-5, 0]) }],
  ['scaled rate', { rewardScheduleCurve: schedule([-100, 123_456_789]), rewardsPerSecondDecimals: 5 }],
  [
    'per staked unit',
    { rewardScheduleCurve: schedule([-100, 3]), rewardsPerSecondDecimals: 9, rewardType: 1 },
  ],
];

export function farmCases(): Json[] {
  const { Decimal } = sdkDecimal;
  return named.map(([name, reward]) => {
    const prng = new Prng(`maths/farm/${name}`);
    const { state, data } = sdkAccount(FarmState, {
      numRewardTokens: bn(1),
      totalStakedAmount: bn(123_456_789_000n),
      isFarmDelegated: 1,
      totalActiveStakeScaled: bn(123_456_789_000n),
      rewardInfos: [
        {
          token: { mint: prng.address(), decimals: bn(prng.int(6, 9)) },
          rewardsAvailable: bn(10n ** 12n),
          ...reward,
        },
      ],
    } satisfies Fields);
    const [info] = state.rewardInfos;
    if (info === undefined) throw new Error('no reward');
    const stake = new Decimal(state.totalStakedAmount.toString());
    const reserve = worldReserve(prng.address(), plainReserve(prng), '1.25');
    const sdkReserve = reserve.at(USUAL_SLOT_MS);
    const prices = {
      spot: {
        [sdkReserve.getLiquidityMint()]: { price: new Decimal(reserve.priceUsd) },
        [info.token.mint]: { price: new Decimal('3.75') },
      },
    } as unknown as Parameters<typeof sdkReserve.calculateRewardYield>[0];
    const yields = (debt: boolean) => {
      const { apr, apy } = sdkReserve.calculateRewardYield(prices, info, debt, stake);
      return { apr: plainDecimal(apr), apy: plainDecimal(apy) };
    };
    return atFixedTime(() => ({
      name,
      ...moment,
      slotDurationMs: USUAL_SLOT_MS,
      data,
      reserve: reserve.data,
      priceUsd: reserve.priceUsd,
      rewardPriceUsd: '3.75',
      expected: {
        perSecond: plainDecimal(getRewardPerTimeUnitSecond(info, stake)),
        supply: yields(false),
        debt: yields(true),
      },
    }));
  });
}
