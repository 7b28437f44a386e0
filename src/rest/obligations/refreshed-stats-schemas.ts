import { z } from '@hono/zod-openapi';
import { decimalOut } from '../values/decimal.ts';

/** Totals and ratios of an obligation, now or in the past. */
export const RefreshedStats = z
  .strictObject({
    leverage: decimalOut('Deposits / net value.'),
    borrowLimit: decimalOut('Maximum adjusted debt for borrowing, in USD.'),
    loanToValue: decimalOut('Adjusted debt / deposits that count for borrowing, as a fraction.'),
    liquidationLtv: decimalOut('Liquidation limit / deposits that count for liquidation, as a fraction.'),
    netAccountValue: decimalOut('Deposits less debts, in USD.'),
    userTotalBorrow: decimalOut('Total of debts, in USD.'),
    userTotalDeposit: decimalOut('Total of deposits, in USD.'),
    borrowUtilization: decimalOut('Adjusted debt / borrow limit, as a fraction.'),
    borrowLiquidationLimit: decimalOut('Adjusted debt above which the obligation can be liquidated, in USD.'),
    userTotalCollateralDeposit: decimalOut('Total of deposits that count for borrowing, in USD.'),
    userTotalLiquidatableDeposit: decimalOut('Total of deposits that count for liquidation, in USD.'),
    userTotalBorrowBorrowFactorAdjusted: decimalOut(
      'Adjusted debt: the sum of debts times their borrow factors, in USD.',
    ),
    potentialElevationGroupUpdate: z.int().min(0).openapi({
      description:
        'Number of the elevation group in which the obligation could borrow more. 0 when there is none.',
    }),
  })
  .openapi('RefreshedStats', {
    description:
      'Totals and ratios of the obligation. A value is "0" when its divisor is zero or it needs an unknown price.',
  });
