import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';

const NONE_RUNS = '"0" when no campaign runs.';

const UserVaultReward = z
  .strictObject({
    kvault: addressOut('Address of the vault.'),
    rewardMint: addressOut('Mint of the reward token.'),
    lastCalculated: dateOut('Time of the state from which the values were computed.'),
    tokensEarned: decimalOut(
      'Whole reward tokens earned so far, as the operator has imported. "0" when no figure was imported.',
    ),
    tokensPerSecond: decimalOut(
      `Whole reward tokens per second that the wallet currently receives. ${NONE_RUNS}`,
    ),
    stakingBoost: decimalOut(
      'Factor by which staking multiplies the reward. Always "1", because the platform has no such boost.',
    ),
    effectiveStakingBoost: decimalOut('The factor that applies to the position. Always "1".'),
    baseApy: decimalOut(
      `Yield of the reward per year as a fraction, compounded daily. ${NONE_RUNS} "0" also when a price or value is unknown.`,
    ),
    boostedApy: decimalOut('Yield with the staking boost. Always the same as `baseApy`.'),
    maxApy: decimalOut('Yield with the maximum staking boost. Always the same as `baseApy`.'),
    usdAmount: decimalOut(
      `Value in USD of the shares that a campaign pays. ${NONE_RUNS} "0" also when a price is unknown.`,
    ),
    usdAmountBoosted: decimalOut('`usdAmount` x `effectiveStakingBoost`.'),
  })
  .openapi('UserVaultReward');

export const UserVaultRewards = z
  .strictObject({
    avgBaseApy: decimalOut('Mean of `baseApy`, weighted by `usdAmount`. "0" without rewards.'),
    avgBoostedApy: decimalOut('Mean of `boostedApy`, weighted by `usdAmount`.'),
    avgMaxApy: decimalOut('Mean of `maxApy`, weighted by `usdAmount`.'),
    rewards: z.array(UserVaultReward).openapi({ description: 'Ordered by address of the vault.' }),
  })
  .openapi('UserVaultRewards');
