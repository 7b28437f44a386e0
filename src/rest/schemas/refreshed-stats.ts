import { z } from '@hono/zod-openapi';
import { decimalOut } from './decimal.ts';

/** An obligation as a whole: the figures of both the present and the past. */
export const RefreshedStats = z
  .strictObject({
    leverage: decimalOut('Deposits / net value.'),
    borrowLimit: decimalOut('USD up to which factored debt may grow by borrowing.'),
    loanToValue: decimalOut('Factored debt / deposits that count for borrowing, a fraction.'),
    liquidationLtv: decimalOut('Liquidation limit / deposits that count for liquidation, a fraction.'),
    netAccountValue: decimalOut('Deposits less debts, USD.'),
    userTotalBorrow: decimalOut('Debts, USD.'),
    userTotalDeposit: decimalOut('Deposits, USD.'),
    borrowUtilization: decimalOut('Factored debt / borrow limit, a fraction.'),
    borrowLiquidationLimit: decimalOut('USD from which on factored debt can be liquidated.'),
    userTotalCollateralDeposit: decimalOut('Deposits that count for borrowing, USD.'),
    userTotalLiquidatableDeposit: decimalOut('Deposits that count for liquidation, USD.'),
    userTotalBorrowBorrowFactorAdjusted: decimalOut('Factored debt: debts times borrow factors, USD.'),
    potentialElevationGroupUpdate: z.int().min(0).openapi({
      description: 'Number of the elevation group that it could move to and borrow more; 0 for none.',
    }),
  })
  .openapi('RefreshedStats', {
    description: 'A division by zero gives "0"; so does a figure that needs an unknown price.',
  });
