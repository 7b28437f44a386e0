import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { decimalOut } from '../values/decimal.ts';

export const CollateralReservesQuery = z.object({
  market: address('Address of a lending market. Defaults to all markets.')
    .optional()
    .openapi({ param: { required: false } }),
});

const BorrowReserveTerms = z
  .strictObject({
    reserve: addressOut('Reserve to borrow from.'),
    elevationGroup: z.int().openapi({
      description: 'Number of the elevation group that the loan must be in. 0 for terms outside groups.',
    }),
    maxLtv: decimalOut('Maximum loan-to-value, as a fraction.'),
    liquidationLtv: decimalOut('Loan-to-value at which the loan can be liquidated, as a fraction.'),
  })
  .openapi('BorrowReserveTerms');

const SCAN =
  'From the hourly scan of all loans and at its prices; a collateral of several debts is divided among them by their value, and a debt with several collaterals likewise. "0" when unknown: before the first scan, when a loan had an unknown price, and without history.';

const CollateralReserve = z
  .strictObject({
    lendingMarket: addressOut('Address of the market.'),
    lendingMarketName: z.string().openapi({ description: 'Name of the market. May be empty.' }),
    name: z
      .string()
      .openapi({ description: 'Name of the entry: ticker of the collateral and "Borrow Market".' }),
    collateralReserve: addressOut('Reserve of the collateral.'),
    collateralMint: addressOut('Mint of the collateral.'),
    debtCategory: z.enum(['Stablecoin assets', 'SOL assets', 'Other assets']).openapi({
      description:
        'Category of what can be borrowed. Stablecoin assets: tokens that the catalogue of this deployment marks as stablecoins. SOL assets: SOL and liquid-staking tokens.',
    }),
    borrowReserves: z
      .array(addressOut('Address of a reserve.'))
      .openapi({ description: 'Reserves of the category that can be borrowed from, largest supply first.' }),
    borrowReserveTerms: z.array(BorrowReserveTerms).openapi({
      description:
        'Terms in the order of `borrowReserves`. A reserve may have several, highest `maxLtv` first. Terms whose limits are used up are included.',
    }),
    collateralBackingDebtUsd: decimalOut(`Deposits that back debts to \`borrowReserves\`, in USD. ${SCAN}`),
    debtAgainstCollateralUsd: decimalOut(
      `Debts to \`borrowReserves\` against this collateral, in USD. ${SCAN}`,
    ),
  })
  .openapi('CollateralReserve');

export const CollateralReserves = z
  .strictObject({
    collateralReserves: z.array(CollateralReserve).openapi({
      description: 'One entry per collateral and category of debt: by market, then by supply, largest first.',
    }),
  })
  .openapi('CollateralReserves');
