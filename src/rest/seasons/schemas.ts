import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { onceOf, onceText } from '../values/query-values.ts';

export const WalletParams = z.object({ pubkey: address('Address of the wallet.') });

export const SeasonQuery = z.object({
  source: onceText('Points source of the season, for example `Season1`. Defaults to the current one.'),
});

export const AirdropAllocation = z
  .strictObject({
    quantity: decimalOut('Whole tokens that are allocated.'),
    name: z.string().openapi({ description: 'Reason of the allocation, such as `main`.' }),
  })
  .openapi('AirdropAllocation');

export const AirdropMetrics = z
  .strictObject({
    totalAllocation: decimalOut('Sum of all allocations in whole tokens.'),
    totalUsers: integerOut('Number of wallets with an allocation.'),
    claimDate: dateOut('Time from which allocations can be claimed.'),
  })
  .openapi('AirdropMetrics');

export const StakingBoost = z
  .strictObject({
    boost: decimalOut('Increase of the rewards as a fraction: "0.3" is 30 %.'),
    name: z.string().openapi({ description: 'Name of the boost.' }),
    farm: addressOut('Farm with the stake. Absent when the import names none.').optional(),
  })
  .openapi('StakingBoost');

export const SeasonUserReward = z
  .strictObject({
    wallet: addressOut('Address of the wallet.'),
    totalRewards: z
      .strictObject({
        amount: decimalOut(
          'Whole reward tokens, for lending and vaults together. "0" for a wallet without a reward, and when the rewards of the season were not imported.',
        ),
        tokenMint: addressOut(
          'Mint of the reward token. 11111111111111111111111111111111 when the season was not imported.',
        ),
      })
      .openapi('SeasonTotalRewards'),
  })
  .openapi('SeasonUserReward');

export const FinalVestingPool = z
  .strictObject({
    totalForfeitedRewards: decimalOut(
      'Whole reward tokens that wallets have forfeited by an early claim. "0" also when no figure was imported.',
    ),
  })
  .openapi('FinalVestingPool');

export const BenchmarkRatesQuery = z.object({
  ...range,
  frequency: onceOf(['hour', 'day'], 'Every hour, or the last one of each UTC day. Defaults to `hour`.'),
});

export const BenchmarkRate = z
  .strictObject({
    index: z.int().min(0).openapi({ description: 'Position among all imported rates, counted from 0.' }),
    hour: dateOut('Start of the hour.'),
    tracked_supply: z.number().openapi({ description: 'Supply that the rate covers, in USD.' }),
    avg_rate: z.number().openapi({ description: 'Average rate per year, as imported.' }),
    elements: z.int().min(0).openapi({ description: 'Number of markets that the rate is made of.' }),
    included_protocols: z.int().min(0).openapi({ description: 'Number of protocols.' }),
  })
  .openapi('BenchmarkRate');
