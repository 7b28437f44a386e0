import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { onceText } from '../values/query-values.ts';

export const UserRewardsParams = z.object({ pubkey: address('Address of the wallet.') });

export const UserRewardsQuery = z.object({
  source: onceText(
    'Points source of the campaigns, for example `Season1`. Defaults to the current one. An unknown source has no rewards.',
  ),
});

const APY = 'per year as a fraction, compounded daily. "0" when a price or value is unknown.';

const UserReward = z
  .strictObject({
    depositReserve: addressOut('Reserve to supply to. Null when only borrowing counts.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from. Null when only supplying counts.').nullable(),
    market: addressOut('Lending market of the reserves.'),
    rewardMint: addressOut('Mint of the reward token.'),
    lastCalculated: dateOut('Time of the state from which the values were computed.'),
    tokensEarned: decimalOut(
      'Whole reward tokens earned since the campaign started, over the recorded time. "0" for a pair of reserves, because the total of its positions is unknown.',
    ),
    tokensPerSecond: decimalOut(
      'Whole reward tokens per second that the wallet currently receives. "0" for a pair of reserves.',
    ),
    stakingBoost: decimalOut(
      'Factor by which staking multiplies the reward. Always "1", because the platform has no such boost.',
    ),
    effectiveStakingBoost: decimalOut('The factor that applies to the positions. Always "1".'),
    baseApy: decimalOut(`Yield of the reward ${APY}`),
    boostedApy: decimalOut('Yield with the staking boost. Always the same as `baseApy`.'),
    maxApy: decimalOut('Yield with the maximum staking boost. Always the same as `baseApy`.'),
    usdAmount: decimalOut(
      'Value in USD of the wallet’s eligible positions; for a pair of reserves, of the deposits. "0" when a price is unknown.',
    ),
    usdAmountBoosted: decimalOut('`usdAmount` x `effectiveStakingBoost`.'),
  })
  .openapi('UserReward');

export const UserRewards = z
  .strictObject({
    avgBaseApy: decimalOut('Mean of `baseApy`, weighted by `usdAmount`. "0" without rewards.'),
    avgBoostedApy: decimalOut('Mean of `boostedApy`, weighted by `usdAmount`.'),
    avgMaxApy: decimalOut('Mean of `maxApy`, weighted by `usdAmount`.'),
    rewards: z.array(UserReward),
  })
  .openapi('UserRewards');
