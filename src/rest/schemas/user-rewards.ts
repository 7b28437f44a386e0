import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { dateOut } from './date.ts';
import { decimalOut } from './decimal.ts';
import { onceText } from './query.ts';

export const UserRewardsParams = z.object({ pubkey: address('Wallet of the user.') });

export const UserRewardsQuery = z.object({
  source: onceText('Points source, such as `Season1`; without it, the current one. An unknown one has none.'),
});

const APY = 'yearly, a fraction, compounded daily; "0" when a price or value is unknown';

const UserReward = z
  .strictObject({
    depositReserve: addressOut('Reserve to supply to; null when only borrowing counts.').nullable(),
    borrowReserve: addressOut('Reserve to borrow from; null when only supplying counts.').nullable(),
    market: addressOut('Lending market of the reserves.'),
    rewardMint: addressOut('Mint of the token that is paid.'),
    lastCalculated: dateOut('Time of the state that everything was computed on.'),
    tokensEarned: decimalOut(
      'Whole reward tokens since the campaign began, for the time that is recorded; "0" for pairs of reserves, of which nobody knows all positions.',
    ),
    tokensPerSecond: decimalOut('Whole reward tokens per second that the user gets now; "0" for pairs.'),
    stakingBoost: decimalOut('What staking multiplies the reward by; always "1": there is no such boost.'),
    effectiveStakingBoost: decimalOut('The same as it applies to the positions; always "1".'),
    baseApy: decimalOut(`What the campaign adds to the yield: ${APY}.`),
    boostedApy: decimalOut('With the boost of staking: the same.'),
    maxApy: decimalOut('With the greatest boost of staking: the same.'),
    usdAmount: decimalOut(
      'USD of the positions that earn it; of a pair, the deposits. "0" when a price is unknown.',
    ),
    usdAmountBoosted: decimalOut('`usdAmount` x `effectiveStakingBoost`.'),
  })
  .openapi('UserReward');

export const UserRewards = z
  .strictObject({
    avgBaseApy: decimalOut('Mean of `baseApy`, weighted by `usdAmount`; "0" without rewards.'),
    avgBoostedApy: decimalOut('Mean of `boostedApy`, weighted by `usdAmount`.'),
    avgMaxApy: decimalOut('Mean of `maxApy`, weighted by `usdAmount`.'),
    rewards: z.array(UserReward),
  })
  .openapi('UserRewards');
