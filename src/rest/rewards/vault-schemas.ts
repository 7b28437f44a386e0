import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';
import { onceOf, onceText } from '../values/query-values.ts';

/** Query of the reward lists. */
export const RewardsQuery = z.object({
  source: onceText(
    'Points source of the campaigns, for example `Season1`. Defaults to the current one. An unknown source has no rewards.',
  ),
});

export const VaultReward = z
  .strictObject({
    kvault: addressOut('Address of the vault.'),
    rewardToken: addressOut('Mint of the reward token.'),
    lastCalculated: z
      .string()
      .openapi({ format: 'date-time', description: 'Time of the state from which `apy` was computed.' }),
    apy: decimalOut('Yield per year as a fraction, compounded daily. "0" when a price is unknown.'),
    tokensPerSecond: decimalOut('Whole tokens per second, paid to all shareholders together.'),
  })
  .openapi('VaultReward');

export const SummaryQuery = z.object({
  type: onceOf(
    ['default', 'private-credit'],
    'Vaults to include: all (`default`), or those that lend to private credit. Defaults to `default`.',
  ),
});

const earned = (description: string) =>
  z
    .strictObject({
      usd: decimalOut('Value in USD.'),
      sol: decimalOut('Value in SOL. "0" when SOL has no price.'),
    })
    .openapi({ description });

const Earnings = z
  .strictObject({
    interest: earned('Interest earned, before fees.'),
    rewards: earned('Rewards of the vaults\u2019 farms.'),
    reserveRewards: earned(
      'Rewards on the reserves that the vaults allocate to, summed over the recorded days: the mean reward yield of each day times the USD value of the vault / 365. "0" without recorded history.',
    ),
    total: earned('Sum of the known parts.'),
  })
  .openapi('Earnings');

export const EarnSummary = z
  .strictObject({
    earnings: Earnings,
  })
  .openapi('EarnSummary');
