import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut, range, rangeWithEnd } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';

export const RangeQuery = z.object(rangeWithEnd);

/** A volume is what moved before the end. */
export const VolumeQuery = z.object(range);

const AT_THAT_TIME = 'at that time. "0" when no price was recorded.';

export const UserVaultTransaction = z
  .strictObject({
    createdOn: dateOut('Time of the block.'),
    instruction: z.enum(['deposit', 'withdraw']).openapi({ description: 'Kind of the transaction.' }),
    tokenMint: addressOut('Mint of the vault\u2019s token.'),
    tokenAmount: decimalOut('Tokens deposited or withdrawn, in whole tokens.'),
    tokenPrice: decimalOut(`Price of one token in USD ${AT_THAT_TIME}`),
    solPrice: decimalOut(`Price of one SOL in USD ${AT_THAT_TIME}`),
    sharePrice: decimalOut(`Price of one share in USD ${AT_THAT_TIME}`),
    numberOfShares: decimalOut('Shares received or redeemed, in whole shares.'),
    usdValue: decimalOut(`Value of the tokens in USD ${AT_THAT_TIME}`),
    transaction: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    kvault: addressOut('Address of the vault.'),
    latestPosition: z.boolean().openapi({
      description:
        'Whether it belongs to the wallet’s current position in the vault, which means that the wallet has held shares ever since.',
    }),
  })
  .openapi('UserVaultTransaction');

const createdOn = dateOut('Start of the bucket.');
const UNKNOWN = '"0" when a price was unknown.';

export const UserHistoryPoint = z
  .strictObject({
    createdOn,
    usdAmount: decimalOut('Total value of the vault positions in USD.'),
    solAmount: decimalOut('The same in SOL.'),
    weightedApy: decimalOut('Mean APY of the vaults as a fraction, weighted by USD value.'),
    cumulativeInterestEarnedUsd: decimalOut(
      `Total interest earned since the first share, in USD. ${UNKNOWN}`,
    ),
    cumulativeInterestEarnedSol: decimalOut(`The same in SOL. ${UNKNOWN}`),
    interestEarnedPerSecondUsd: decimalOut(
      `The positions\u2019 part of the interest that the vaults earned per second, in USD. ${UNKNOWN}`,
    ),
    interestEarnedPerSecondSol: decimalOut(`The same in SOL. ${UNKNOWN}`),
  })
  .openapi('UserHistoryPoint');

const apyOut = (description: string) =>
  decimalOut(`${description} As a fraction, mean over the bucket. "0" before the first record of the vault.`);

export const PositionHistoryPoint = z
  .strictObject({
    createdOn,
    sharesAmount: decimalOut('Staked and unstaked shares, in whole shares.'),
    usdAmount: decimalOut('Value of the shares in USD.'),
    solAmount: decimalOut('The same in SOL.'),
    apy: apyOut('APY of the vault with all rewards.'),
    apyTheoretical: apyOut('APY from interest alone, if every token were invested at the target weights.'),
    apyActual: apyOut('APY from interest alone, at the actual allocation.'),
    apyFarmRewards: apyOut('APY from the vault\u2019s farm, for staked shares.'),
    apyReservesIncentives: apyOut('APY from reward campaigns of its reserves.'),
    apyIncentives: decimalOut(
      'APY from reward campaigns of the vault. As a fraction, mean over the bucket. Null before the first record of the vault.',
    ).nullable(),
    cumulativeInterestEarned: decimalOut('Interest earned since the first share, in whole tokens.'),
    cumulativeInterestEarnedUsd: decimalOut(`The same in USD. ${UNKNOWN}`),
    cumulativeInterestEarnedSol: decimalOut(`The same in SOL. ${UNKNOWN}`),
    interestEarnedPerSecond: decimalOut(
      'The position\u2019s part of the interest that the vault earned per second, in whole tokens. "0" when unknown.',
    ),
    interestEarnedPerSecondUsd: decimalOut(`The same in USD. ${UNKNOWN}`),
    interestEarnedPerSecondSol: decimalOut(`The same in SOL. ${UNKNOWN}`),
  })
  .openapi('PositionHistoryPoint');

const Denominated = z
  .strictObject({
    usd: decimalOut(`Value in USD. ${UNKNOWN}`),
    sol: decimalOut(`Value in SOL. ${UNKNOWN}`),
    token: decimalOut('Value in whole tokens of the vault.'),
  })
  .openapi('Denominated');

export const PositionPnl = z
  .strictObject({ totalPnl: Denominated, totalCostBasis: Denominated })
  .openapi('PositionPnl');

const PnlPrices = z
  .strictObject({
    usd: decimalOut('Price of one dollar: always "1".'),
    sol: decimalOut(`Price of SOL in USD. ${UNKNOWN}`),
    token: decimalOut(`Price of the vault\u2019s token in USD. ${UNKNOWN}`),
  })
  .openapi('PnlPrices', { description: 'Prices in USD of the denominations.' });

const PnlRow = z
  .strictObject({
    timestamp: dateOut('Time of the point.'),
    type: z.enum(['buy', 'sell', 'mark-to-market']).openapi({
      description:
        'Event that the point records: shares were added, shares were removed, or a valuation without a transaction.',
    }),
    position: decimalOut('Whole shares held after this point.'),
    quantity: decimalOut('Whole shares bought or sold. For a mark-to-market point, the position.'),
    tokenPrice: PnlPrices,
    sharePrice: Denominated,
    costBasis: Denominated,
    realizedPnl: Denominated,
    pnl: Denominated,
    positionValue: Denominated,
    investment: Denominated,
  })
  .openapi('PnlRow');

export const PositionPnlHistory = z
  .strictObject({
    history: z.array(PnlRow).openapi({
      description:
        'Points in ascending order of time: every buy and sell, a valuation at each UTC midnight since the first one, and a valuation at the end.',
    }),
    totalPnl: Denominated,
    totalCostBasis: Denominated,
  })
  .openapi('PositionPnlHistory');

export const AllocationVolumeDay = z
  .strictObject({
    timestamp: dateOut('Start of the day, UTC midnight.'),
    volumeUsd: decimalOut(
      'Volume in USD between the vault and its reserves, in both directions, at the prices at that time.',
    ),
  })
  .openapi('AllocationVolumeDay');
