import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { dateOut, range } from './date.ts';
import { decimalOut } from './decimal.ts';
import { onceOf } from './query.ts';

export const LendingReward = z
  .strictObject({
    depositReserve: addressOut('Reserve to supply to; null when only borrowing counts.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from; null when only supplying counts.').nullable(),
    market: addressOut('Lending market of the reserves.'),
    rewardToken: addressOut('Mint of the token that is paid.'),
    lastCalculated: z.iso
      .datetime()
      .openapi({ description: 'Time of the state that `apy` was computed on.' }),
    apy: decimalOut('Yearly yield, a fraction, compounded daily; "0" when a price or value is unknown.'),
    tokensPerSecond: decimalOut('Whole reward tokens per second, to all together.'),
    activePositionsUsd: decimalOut(
      'USD that the reward is paid on; "0" when a price is unknown, and for pairs of reserves.',
    ),
  })
  .openapi('LendingReward');

const NONE = '11111111111111111111111111111111 for campaigns without one';

export const RewardHistoryParams = z.object({
  depositReservePubkey: address(`Reserve to supply to; ${NONE}.`),
  borrowReservePubkey: address(`Reserve to borrow from; ${NONE}.`),
});

export const RewardHistoryQuery = z.object({
  ...range,
  frequency: onceOf(['hour', 'day'], 'Width of the buckets; `hour` when left out.'),
});

export const LendingRewardPoint = z
  .strictObject({
    timestamp: dateOut('Start of the bucket.'),
    depositReserve: addressOut('Reserve to supply to; null when only borrowing counted.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from; null when only supplying counted.').nullable(),
    rewardToken: addressOut('Mint of the token that was paid.'),
    rewardApy: decimalOut(
      'Yearly yield, a fraction, compounded daily; mean over the bucket. "0" when a price or value was unknown.',
    ),
  })
  .openapi('LendingRewardPoint');
