import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { onceOf } from '../values/query-values.ts';

export const LendingReward = z
  .strictObject({
    depositReserve: addressOut('Reserve to supply to. Null when only borrowing counts.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from. Null when only supplying counts.').nullable(),
    market: addressOut('Lending market of the reserves.'),
    rewardToken: addressOut('Mint of the reward token.'),
    lastCalculated: z.iso
      .datetime()
      .openapi({ description: 'Time of the state from which `apy` was computed.' }),
    apy: decimalOut('Yield per year as a fraction, compounded daily. "0" when a price or value is unknown.'),
    tokensPerSecond: decimalOut('Whole reward tokens per second, paid to all eligible positions together.'),
    activePositionsUsd: decimalOut(
      'Value of the eligible positions in USD. "0" when a price is unknown, and for a pair of reserves.',
    ),
  })
  .openapi('LendingReward');

const NONE = '11111111111111111111111111111111 for campaigns without one';

export const RewardHistoryParams = z.object({
  depositReservePubkey: address(`Address of the reserve to supply to, or ${NONE}.`),
  borrowReservePubkey: address(`Address of the reserve to borrow from, or ${NONE}.`),
});

export const RewardHistoryQuery = z.object({
  ...range,
  frequency: onceOf(['hour', 'day'], 'Width of the buckets. Defaults to `hour`.'),
});

export const LendingRewardPoint = z
  .strictObject({
    timestamp: dateOut('Start of the bucket.'),
    depositReserve: addressOut('Reserve to supply to. Null when only borrowing counted.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from. Null when only supplying counted.').nullable(),
    rewardToken: addressOut('Mint of the reward token.'),
    rewardApy: decimalOut(
      'Yield per year as a fraction, compounded daily. Mean over the bucket. "0" when a price or value was unknown.',
    ),
  })
  .openapi('LendingRewardPoint');
