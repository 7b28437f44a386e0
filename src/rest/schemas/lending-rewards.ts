import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';

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
