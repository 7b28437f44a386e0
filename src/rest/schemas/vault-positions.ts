import { z } from '@hono/zod-openapi';
import { addressOut } from './address.ts';
import { dateOut, range } from './date.ts';
import { decimalOut } from './decimal.ts';

export const RangeQuery = z.object(range);

const THEN = 'at the price of then; "0" when none was recorded.';

export const UserVaultTransaction = z
  .strictObject({
    createdOn: dateOut('When the transaction was made.'),
    instruction: z.enum(['deposit', 'withdraw']).openapi({ description: 'What it did.' }),
    tokenMint: addressOut('Token of the vault.'),
    tokenAmount: decimalOut('Whole tokens that the user gave or got.'),
    tokenPrice: decimalOut(`USD for one token ${THEN}`),
    solPrice: decimalOut(`USD for one SOL ${THEN}`),
    sharePrice: decimalOut(`USD for one share ${THEN}`),
    numberOfShares: decimalOut('Whole shares that the user got or gave.'),
    usdValue: decimalOut(`The tokens in USD ${THEN}`),
    transaction: z.string().openapi({ description: 'Signature of the transaction, base58.' }),
    kvault: addressOut('The vault.'),
    latestPosition: z.boolean().openapi({
      description:
        'Whether it belongs to the position that the user has in the vault now: whether the user has held shares ever since.',
    }),
  })
  .openapi('UserVaultTransaction');

const createdOn = dateOut('Start of the bucket.');
const UNKNOWN = '"0" when a price was unknown.';

export const UserHistoryPoint = z
  .strictObject({
    createdOn,
    usdAmount: decimalOut(`What all vault positions were worth, USD; ${UNKNOWN}`),
    solAmount: decimalOut(`The same in SOL; ${UNKNOWN}`),
    weightedApy: decimalOut('Yearly yield of the vaults, a fraction, weighted by USD.'),
    cumulativeInterestEarnedUsd: decimalOut(`Gained since the first share, USD; ${UNKNOWN}`),
    cumulativeInterestEarnedSol: decimalOut(`The same in SOL; ${UNKNOWN}`),
    interestEarnedPerSecondUsd: decimalOut(
      `The positions\u2019 part of what the vaults earned per second, USD; ${UNKNOWN}`,
    ),
    interestEarnedPerSecondSol: decimalOut(`The same in SOL; ${UNKNOWN}`),
  })
  .openapi('UserHistoryPoint');

export const PositionHistoryPoint = z
  .strictObject({
    createdOn,
    sharesAmount: decimalOut('Whole shares, staked and unstaked.'),
    usdAmount: decimalOut(`What they were worth, USD; ${UNKNOWN}`),
    solAmount: decimalOut(`The same in SOL; ${UNKNOWN}`),
    apy: decimalOut('Yearly yield of the vault with all rewards, a fraction; mean over the bucket.'),
    cumulativeInterestEarned: decimalOut('Gained since the first share, whole tokens.'),
    cumulativeInterestEarnedUsd: decimalOut(`The same in USD; ${UNKNOWN}`),
    cumulativeInterestEarnedSol: decimalOut(`The same in SOL; ${UNKNOWN}`),
    interestEarnedPerSecond: decimalOut(
      'The position\u2019s part of what the vault earned per second, whole tokens; "0" when that was unknown.',
    ),
    interestEarnedPerSecondUsd: decimalOut(`The same in USD; ${UNKNOWN}`),
    interestEarnedPerSecondSol: decimalOut(`The same in SOL; ${UNKNOWN}`),
  })
  .openapi('PositionHistoryPoint');

const Denominated = z
  .strictObject({
    usd: decimalOut(`USD; ${UNKNOWN}`),
    sol: decimalOut(`SOL; ${UNKNOWN}`),
    token: decimalOut('Whole tokens of the vault.'),
  })
  .openapi('Denominated');

export const PositionPnl = z
  .strictObject({ totalPnl: Denominated, totalCostBasis: Denominated })
  .openapi('PositionPnl');

const PnlRow = z
  .strictObject({
    timestamp: z.int().min(0).openapi({ description: 'When, milliseconds since the epoch.' }),
    type: z
      .enum(['buy', 'sell', 'mark-to-market'])
      .openapi({ description: 'Why the position was valued: shares came, shares went, or a day was over.' }),
    position: decimalOut('Whole shares held from here on.'),
    quantity: decimalOut('Whole shares bought or sold; of a mark, the position.'),
    tokenPrice: z
      .strictObject({
        usd: decimalOut('Of a dollar: "1".'),
        sol: decimalOut(`Of SOL; ${UNKNOWN}`),
        token: decimalOut(`Of the vault\u2019s token; ${UNKNOWN}`),
      })
      .openapi({ description: 'USD price of each denomination.' }),
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
      description: 'Ascending: every buy and sell, a mark at each UTC midnight since, and one at the end.',
    }),
    totalPnl: Denominated,
    totalCostBasis: Denominated,
  })
  .openapi('PositionPnlHistory');

export const AllocationVolumeDay = z
  .strictObject({
    timestamp: dateOut('Midnight at which the day begins, UTC.'),
    volumeUsd: decimalOut(
      `What moved between the vault and its reserves, either way, USD at the prices of then; ${UNKNOWN}`,
    ),
  })
  .openapi('AllocationVolumeDay');
