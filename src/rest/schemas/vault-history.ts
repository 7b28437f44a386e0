import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { range } from './date.ts';
import { decimalOut } from './decimal.ts';

export const VaultHistoryQuery = z.object(range);

const apyOut = (description: string) =>
  decimalOut(`${description} Yearly, a fraction; mean over the bucket.`);

const RewardTokenApy = z
  .strictObject({
    tokenMint: addressOut('Mint of the token that was paid.'),
    apy: decimalOut('What it added to the yield, a fraction; last value.'),
  })
  .openapi('RewardTokenApy');

const VaultHistoryReserve = z.strictObject({
  pubkey: addressOut('Reserve that the vault lent in.'),
  supplyApy: apyOut('Interest that its suppliers earned; "0" when nothing is recorded of it there.'),
  rewardsApy: decimalOut('What rewards added for its suppliers, a fraction; last value.'),
  allocationRatio: decimalOut(
    'Share of the vault\u2019s value that was invested in it, a fraction; last value.',
  ),
  rewardTokens: z.array(RewardTokenApy).openapi({ description: 'Which tokens paid those rewards.' }),
});

export const VaultHistoryPoint = z
  .strictObject({
    timestamp: z.int().min(0).openapi({ description: 'Start of the bucket, milliseconds since the epoch.' }),
    tvl: decimalOut('What belonged to the holders of shares, USD; "0" when a price was unknown. Last value.'),
    solTvl: decimalOut('The same in SOL.'),
    apy: apyOut('`apyActual` + `apyFarmRewards` + `apyIncentives` + `apyReservesIncentives`, exactly.'),
    apyTheoretical: apyOut('Interest alone at target weights, every token invested, after fees.'),
    apyActual: apyOut('Interest alone as the vault was invested, after fees.'),
    apyFarmRewards: apyOut('From the vault\u2019s own farm, for staked shares.'),
    apyReservesIncentives: apyOut('From campaigns on its reserves.'),
    apyIncentives: apyOut('From campaigns on the vault.'),
    sharePrice: decimalOut('USD for one share; "0" when the token had no price. Last value.'),
    interest: decimalOut('Interest since the vault began, before fees, whole tokens. Last value.'),
    interestUsd: decimalOut('The same in USD; "0" when the token had no price.'),
    interestSol: decimalOut('The same in SOL; "0" when a price was unknown.'),
    reserves: z.array(VaultHistoryReserve).openapi({ description: 'The reserves that it lent in.' }),
    vaultRewards: z
      .array(RewardTokenApy)
      .openapi({ description: 'Which tokens its farm and campaigns on it paid.' }),
  })
  .openapi('VaultHistoryPoint');
