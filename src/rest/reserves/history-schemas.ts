import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { onceOf } from '../values/query-values.ts';

export const ReserveHistoryParams = z.object({
  marketPubkey: address('Address of the lending market.'),
  reservePubkey: address('Address of the reserve.'),
});

export const ReserveHistoryQuery = z.object({
  env,
  ...range,
  frequency: onceOf(['minute', 'hour', 'day'], 'Width of the buckets. Defaults to `hour`.'),
});

const number = (description: string) => z.number().openapi({ description });
const text = (description: string) => z.string().openapi({ description });

const ReserveHistoryMetrics = z
  .strictObject({
    status: text('Status of the reserve.'),
    symbol: text('Ticker of the token.'),
    mintAddress: addressOut('Mint of the token.'),
    decimals: number('Decimal places of the token.'),
    loanToValue: number('Maximum loan-to-value, as a fraction.'),
    liquidationThreshold: number('Liquidation threshold of the loan-to-value, as a fraction.'),
    borrowFactor: number(
      'Factor by which a debt was multiplied before it was compared with the limits, in percent: 100 means 1.',
    ),
    protocolTakeRate: number('Part of the interest that the protocol took, as a fraction.'),
    minLiquidationBonus: number('Minimum liquidation bonus, as a fraction.'),
    maxLiquidationBonus: number('Maximum liquidation bonus, as a fraction.'),
    borrowInterestAPY: number('Borrow APY from interest, as a fraction. Mean over the bucket.'),
    supplyInterestAPY: number('Supply APY from interest, as a fraction. Mean over the bucket.'),
    borrowLimitCrossedTimestamp: number(
      'Time when the borrow limit was exceeded, in Unix seconds. 0 when it was not.',
    ),
    depositLimitCrossedTimestamp: number(
      'Time when the deposit limit was exceeded, in Unix seconds. 0 when it was not.',
    ),
    totalSupply: decimalOut('Total that belonged to suppliers, in whole tokens. Mean over the bucket.'),
    totalBorrows: decimalOut('Total borrowed, in whole tokens. Mean over the bucket.'),
    totalLiquidity: decimalOut(
      'Liquidity that could be borrowed or withdrawn, in whole tokens. Mean over the bucket.',
    ),
    depositTvl: decimalOut('Total supplied in USD: exactly `totalSupply` x `assetOraclePriceUSD`.'),
    borrowTvl: decimalOut('Total borrowed in USD: exactly `totalBorrows` x `assetOraclePriceUSD`.'),
    assetPriceUSD: decimalOut('Price in USD per whole token. Mean over the bucket.'),
    assetOraclePriceUSD: decimalOut('Price in USD per whole token. Last value of the bucket.'),
    exchangeRate: decimalOut('Collateral tokens per supplied token. Last value of the bucket.'),
    mintTotalSupply: decimalOut('Total supply of collateral tokens (cTokens), in whole tokens.'),
    reserveDepositLimit: integerOut('Maximum total supply, in base units.'),
    reserveBorrowLimit: integerOut('Maximum total borrow, in base units.'),
    hostFixedInterestRate: decimalOut(
      'Rate per year for the host as a fraction, on top of the borrow curve.',
    ),
    accumulatedProtocolFees: decimalOut('Protocol fees earned but not yet withdrawn, in whole tokens.'),
    borrowOutsideElevationGroup: decimalOut('Total borrowed outside elevation groups, in whole tokens.'),
    borrowLimitOutsideElevationGroup: decimalOut(
      'Maximum total borrow outside elevation groups, in whole tokens.',
    ),
    borrowedAgainstCollateralInElevationGroups: z
      .array(decimalOut('Whole tokens.'))
      .openapi({ description: 'Total borrowed against this collateral, per elevation group.' }),
    borrowLimitAgainstCollateralInElevationGroups: z
      .array(decimalOut('Whole tokens.'))
      .openapi({ description: 'Maximum borrow against this collateral, per elevation group.' }),
    borrowCurve: z.array(z.array(z.number()).min(2).max(2)).openapi({
      description:
        'Points of utilization and borrow rate per year, as fractions, with linear interpolation in between.',
    }),
  })
  .openapi('ReserveHistoryMetrics');

const ReserveHistoryPoint = z
  .strictObject({ timestamp: dateOut('Start of the bucket.'), metrics: ReserveHistoryMetrics })
  .openapi('ReserveHistoryPoint');

export const ReserveHistory = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    market: addressOut('Address of the lending market.'),
    history: z.array(ReserveHistoryPoint),
  })
  .openapi('ReserveHistory');
