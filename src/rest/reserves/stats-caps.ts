import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';

const cap = {
  capacity: decimalOut('Maximum, in whole tokens of this reserve. Null without a limit.').nullable(),
  currentTotal: decimalOut(
    'Debt that the lending program counts towards it, in whole tokens of this reserve. Interest is counted when a loan is refreshed.',
  ),
};

const CollateralCap = z
  .strictObject({
    collateralReserve: addressOut('Reserve of the collateral.'),
    elevationGroup: z.int().openapi({ description: 'Number of the elevation group in its market.' }),
    ...cap,
  })
  .openapi('CollateralCap');

/** A limit on the net outflow of a reserve, as the account stores it. */
export const OutflowCap = z
  .strictObject({
    capacity: decimalOut(
      'Maximum net outflow in an interval, in whole tokens. Without effect while `intervalLengthSeconds` is 0.',
    ),
    currentTotal: decimalOut(
      'Net outflow in the stored interval, in whole tokens: negative after a net inflow. Once that interval is over, the next action starts again from 0.',
    ),
    intervalLengthSeconds: z
      .int()
      .min(0)
      .openapi({ description: 'Length of an interval, in seconds. 0 when there is no limit.' }),
    lastIntervalStartTimestamp: dateOut(
      'Start of the stored interval. 1970-01-01T00:00:00.000Z when none has begun.',
    ),
  })
  .openapi('OutflowCap');

export const BorrowCaps = z
  .strictObject({
    utilization: z
      .strictObject({
        limitPct: z.int().min(0).openapi({
          description:
            'Utilization above which borrowing is blocked, in percent. 0 when there is no such limit.',
        }),
        currentPct: decimalOut('Utilization now, in percent.'),
      })
      .openapi({ description: 'Limit on utilization.' }),
    netWithdrawal: OutflowCap,
    globalDebt: z
      .strictObject({
        capacity: decimalOut('Maximum total borrow, in whole tokens: `borrowLimit`.'),
        currentTotal: decimalOut('Total borrowed, with interest up to now, in whole tokens: `totalBorrow`.'),
      })
      .openapi({ description: 'Limit on all debts together.' }),
    debtOutsideElevationGroup: z.strictObject(cap).openapi({ description: 'Debt outside elevation groups.' }),
    debtAgainstCollateral: z.array(CollateralCap).openapi({
      description:
        'Debt in each elevation group that lends this reserve, by collateral. A loan with several collaterals counts in full towards each.',
    }),
  })
  .openapi('BorrowCaps', { description: 'Limits on the debt and its parts, and how far they are used.' });
