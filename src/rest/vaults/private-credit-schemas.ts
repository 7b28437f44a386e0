import { z } from '@hono/zod-openapi';
import { dateOut, range } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';

/** Names of the states of a loan, in words of this gateway. */
export const STATUS_NAMES = {
  HEALTHY: 'healthy',
  AT_RISK: 'at_risk',
  LIQUIDATABLE: 'liquidatable',
} as const;

const status = z.enum([STATUS_NAMES.HEALTHY, STATUS_NAMES.AT_RISK, STATUS_NAMES.LIQUIDATABLE]).openapi({
  description:
    '`healthy`: it may borrow more. `at_risk`: its debt is above what it may borrow. `liquidatable`: anyone may liquidate a part of it, for its health or because a debt has ended.',
});

const LTV = 'debts times their borrow factors / deposits, as a fraction';

const PrivateCreditTotals = z
  .strictObject({
    activeLoans: integerOut('Number of loans whose value is known.'),
    totalBorrowedUsd: decimalOut('Value of their debts in USD.'),
    totalDepositedUsd: decimalOut('Value of their deposits in USD.'),
    weightedAvgLtv: decimalOut(`Mean LTV weighted by the value of the deposits: ${LTV}. "0" without loans.`),
    avgLtv: decimalOut('Mean LTV of loans with deposits. "0" without loans.'),
    maxLtv: decimalOut('Highest LTV of a loan. "0" without loans.'),
    updatedOn: dateOut('Time when the loans were read; of several markets, of the one that was read first.'),
  })
  .openapi('PrivateCreditTotals');

const PrivateCreditLoan = z
  .strictObject({
    totalBorrowedUsd: decimalOut('Value of its debts in USD.'),
    totalDepositedUsd: decimalOut('Value of its deposits in USD.'),
    ltv: decimalOut(`LTV: ${LTV}. "0" without deposits.`),
    maxLtv: decimalOut('The LTV up to which it may borrow. "0" without deposits.'),
    createdOn: dateOut('Time when the loan was read, not when it was opened.'),
    collateralAsset: z
      .string()
      .openapi({ description: 'Symbol of the token of its most valuable deposit. Empty without deposits.' }),
    liquidationStatus: status,
  })
  .openapi('PrivateCreditLoan');

export const PrivateCreditMetrics = z
  .strictObject({
    metrics: PrivateCreditTotals,
    loans: z
      .array(PrivateCreditLoan)
      .openapi({ description: 'The loans, largest debt first. At most 1,000; `metrics` counts all.' }),
  })
  .openapi('PrivateCreditMetrics');

export const PrivateCreditHistoryQuery = z.object(range);

const StatusShare = z
  .strictObject({ status, share: decimalOut('Part of all loans, as a fraction. "0" without loans.') })
  .openapi('LoanStatusShare');

export const PrivateCreditPoint = z
  .strictObject({
    createdOn: dateOut('Start of the bucket.'),
    weightedAvgLtv: decimalOut(`Mean LTV weighted by the value of the deposits: ${LTV}. "0" without loans.`),
    maxLtv: decimalOut('Highest LTV of a loan. "0" without loans.'),
    statusDistribution: z
      .array(StatusShare)
      .openapi({ description: 'All states, also those without loans.' }),
  })
  .openapi('PrivateCreditPoint');
