import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { dateOut, range } from './date.ts';
import { decimalOut, integerOut } from './decimal.ts';
import { env } from './env.ts';
import { onceOf } from './query.ts';

export const ReserveHistoryParams = z.object({
  marketPubkey: address('Lending market.'),
  reservePubkey: address('Reserve.'),
});

export const ReserveHistoryQuery = z.object({
  env,
  ...range,
  frequency: onceOf(['minute', 'hour', 'day'], 'Width of the buckets; `hour` when left out.'),
});

const number = (description: string) => z.number().openapi({ description });
const text = (description: string) => z.string().openapi({ description });

const ReserveHistoryMetrics = z
  .strictObject({
    status: text('Whether it was in use.'),
    symbol: text('Symbol of the token that is lent.'),
    mintAddress: addressOut('Its mint.'),
    decimals: number('Its decimals.'),
    loanToValue: number('Share of a deposit that could be borrowed, a fraction.'),
    liquidationThreshold: number('Share of a deposit at which debt could be liquidated, a fraction.'),
    borrowFactor: number('What debt was multiplied by against limits; 100 is 1.0.'),
    protocolTakeRate: number('Share of interest that the protocol kept, a fraction.'),
    minLiquidationBonus: number('Least bonus of a liquidator, a fraction.'),
    maxLiquidationBonus: number('Greatest bonus of a liquidator, a fraction.'),
    borrowInterestAPY: number('Interest that borrowers paid in a year, a fraction; mean over the bucket.'),
    supplyInterestAPY: number('Interest that suppliers earned in a year, a fraction; mean over the bucket.'),
    borrowLimitCrossedTimestamp: number(
      'When the borrow limit was crossed, unix seconds; 0 while it was not.',
    ),
    depositLimitCrossedTimestamp: number(
      'When the deposit limit was crossed, unix seconds; 0 while it was not.',
    ),
    totalSupply: decimalOut('What belonged to suppliers, whole tokens; mean over the bucket.'),
    totalBorrows: decimalOut('What was lent out, whole tokens; mean over the bucket.'),
    totalLiquidity: decimalOut('What could be borrowed or withdrawn, whole tokens; mean over the bucket.'),
    depositTvl: decimalOut('`totalSupply` x `assetOraclePriceUSD`, exactly.'),
    borrowTvl: decimalOut('`totalBorrows` x `assetOraclePriceUSD`, exactly.'),
    assetPriceUSD: decimalOut('USD per whole token, mean over the bucket; "0" when unknown.'),
    assetOraclePriceUSD: decimalOut('USD per whole token, last value; "0" when unknown.'),
    exchangeRate: decimalOut('Collateral per liquidity, last value.'),
    mintTotalSupply: decimalOut('Collateral tokens in existence, whole tokens.'),
    reserveDepositLimit: integerOut('The most that could be supplied, base units.'),
    reserveBorrowLimit: integerOut('The most that could be borrowed, base units.'),
    hostFixedInterestRate: decimalOut('Yearly rate of the host on top of interest, a fraction.'),
    accumulatedProtocolFees: decimalOut('Fees of the protocol that were not yet taken out, whole tokens.'),
    borrowOutsideElevationGroup: decimalOut('What was borrowed outside elevation groups, whole tokens.'),
    borrowLimitOutsideElevationGroup: decimalOut('The most that could be, whole tokens.'),
    borrowedAgainstCollateralInElevationGroups: z
      .array(decimalOut('Whole tokens.'))
      .openapi({ description: 'What was borrowed against it, by elevation group.' }),
    borrowLimitAgainstCollateralInElevationGroups: z
      .array(decimalOut('Whole tokens.'))
      .openapi({ description: 'The most that could be, by elevation group.' }),
    borrowCurve: z
      .array(z.array(z.number()).min(2).max(2))
      .openapi({ description: 'Utilisation and yearly borrow rate, fractions; straight lines between.' }),
  })
  .openapi('ReserveHistoryMetrics');

export const ReserveHistory = z
  .strictObject({
    reserve: addressOut('The reserve.'),
    market: addressOut('The market.'),
    history: z.array(
      z.strictObject({ timestamp: dateOut('Start of the bucket.'), metrics: ReserveHistoryMetrics }),
    ),
  })
  .openapi('ReserveHistory');
