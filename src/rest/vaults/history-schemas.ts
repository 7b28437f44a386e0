import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, rangeWithEnd } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { listItems } from '../values/query-values.ts';

export const VaultHistoryQuery = z.object(rangeWithEnd);

/** Each of them is a history of its own. */
const MOST_VAULTS = 25;
const HOW = 'pass addresses of vaults, separated by commas';

export const VaultHistoriesQuery = z.object({
  vaults: z
    .preprocess(
      listItems,
      z
        .array(address('Address of a vault.'), {
          error: ({ input }) => (input === undefined ? `is required: ${HOW}` : HOW),
        })
        .max(MOST_VAULTS, `must not have more than ${MOST_VAULTS} addresses: use several requests`),
    )
    .openapi({
      param: { required: true, style: 'form', explode: false },
      description: `Addresses of vaults, at most ${MOST_VAULTS}, separated by commas; the parameter may also be repeated.`,
    }),
  ...rangeWithEnd,
});

const apyOut = (description: string) =>
  decimalOut(`${description} Per year, as a fraction. Mean over the bucket.`);

const RewardTokenApy = z
  .strictObject({
    tokenMint: addressOut('Mint of the reward token.'),
    apy: decimalOut('Yield that the token contributed, as a fraction. Last value of the bucket.'),
  })
  .openapi('RewardTokenApy');

const VaultHistoryReserve = z
  .strictObject({
    pubkey: addressOut('Address of the reserve.'),
    supplyApy: apyOut(
      'Supply yield of the reserve from interest. "0" when the reserve has no record in this bucket.',
    ),
    rewardsApy: decimalOut(
      'Supply yield of the reserve from rewards, as a fraction. Last value of the bucket.',
    ),
    allocationRatio: decimalOut(
      'Fraction of the vault\u2019s total value invested in the reserve. Last value of the bucket.',
    ),
    rewardTokens: z
      .array(RewardTokenApy)
      .openapi({ description: 'The reward tokens and the yield that each contributed.' }),
  })
  .openapi('VaultHistoryReserve');

export const VaultHistoryPoint = z
  .strictObject({
    timestamp: dateOut('Start of the bucket.'),
    tvl: decimalOut('Total value that belonged to the shareholders, in USD. Last value of the bucket.'),
    solTvl: decimalOut('Total value in SOL. Last value of the bucket.'),
    apy: apyOut('Yield from interest alone, equal to `apyTheoretical`. Rewards come on top of it.'),
    apyTheoretical: apyOut(
      'Yield after fees from interest alone, if every token were invested at the target weights.',
    ),
    apyActual: apyOut('Yield after fees from interest alone, at the actual allocation.'),
    apyFarmRewards: apyOut('Yield from the vault\u2019s farm, for staked shares.'),
    apyReservesIncentives: apyOut('Yield from reward campaigns of its reserves.'),
    apyIncentives: apyOut('Yield from reward campaigns of the vault.'),
    sharePrice: decimalOut(
      'Value of one share in USD. Last value of the bucket. "0" when no shares were issued.',
    ),
    interest: decimalOut(
      'Interest earned since the vault was created, before fees, in whole tokens. Last value of the bucket.',
    ),
    interestUsd: decimalOut('The same interest in USD.'),
    interestSol: decimalOut('The same interest in SOL.'),
    reserves: z
      .array(VaultHistoryReserve)
      .openapi({ description: 'The reserves that the vault allocated to.' }),
    vaultRewards: z.array(RewardTokenApy).openapi({
      description: 'Reward tokens of its farm and its campaigns, with the yield that each contributed.',
    }),
  })
  .openapi('VaultHistoryPoint');

export const VaultHistories = z
  .strictObject({
    kvault: addressOut('Address of the vault.'),
    history: z.array(VaultHistoryPoint).openapi({ description: 'Points in ascending order of time.' }),
  })
  .openapi('VaultHistories');
