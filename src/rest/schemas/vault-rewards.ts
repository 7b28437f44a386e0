import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { decimalOut } from './decimal.ts';
import { onceOf, onceText } from './query.ts';

/** Query of the lists of rewards. */
export const RewardsQuery = z.object({
  source: onceText(
    'Points source, for example `Season1`; the current one when left out. An unknown one has no rewards.',
  ),
});

export const VaultReward = z
  .strictObject({
    kvault: addressOut('Vault whose shares are rewarded.'),
    rewardToken: addressOut('Mint of the token that is paid.'),
    lastCalculated: z.string().openapi({ format: 'date-time', description: 'When `apy` was computed.' }),
    apy: decimalOut(
      'What it adds to the yield: yearly, a fraction, compounded daily. "0" when a price is unknown.',
    ),
    tokensPerSecond: decimalOut('Whole tokens per second to all holders together.'),
  })
  .openapi('VaultReward');

export const SummaryQuery = z.object({
  type: onceOf(
    ['default', 'private-credit'],
    'Which vaults: all (`default`, also when left out), or those that lend to private credit.',
  ),
});

const earned = (description: string) =>
  z
    .strictObject({
      usd: decimalOut('In USD.'),
      sol: decimalOut('The same in SOL; "0" when SOL has no price.'),
    })
    .openapi({ description });

export const EarnSummary = z
  .strictObject({
    earnings: z.strictObject({
      interest: earned('Interest, before fees.'),
      rewards: earned('Rewards of the vaults\u2019 farms.'),
      reserveRewards: earned(
        'Rewards on the reserves behind them: for each recorded day the mean yield from them times the vault\u2019s USD value / 365; zero without history.',
      ),
      total: earned('All together.'),
    }),
  })
  .openapi('EarnSummary');
