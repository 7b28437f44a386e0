import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { placePoint } from '@sluice/protocol/numeric/decimal';
import type { QueueAccounts } from './accounts.ts';

/** `12.5 USDC`. */
export const amountInWords = ({ reserve, symbol }: QueueAccounts, units: bigint): string =>
  `${placePoint(units, Number(reserve.liquidity.mintDecimals))} ${symbol}`;

/** `12.5 collateral tokens of the USDC reserve`. */
export const collateralInWords = ({ symbol }: QueueAccounts, units: bigint): string =>
  `${placePoint(units, COLLATERAL_DECIMALS)} collateral tokens of the ${symbol} reserve`;
