import { z } from '@hono/zod-openapi';
import { addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { orNull } from '../values/or-null.ts';
import { onceOf, onceText } from '../values/query-values.ts';
import { BookAmount, format, header } from './activity-schemas.ts';

const orUnknown = (description: string) => decimalOut(description).nullable();

const BookValue = z
  .strictObject({
    usd: orUnknown('USD. Null when a price is unknown.'),
    sol: orUnknown('SOL. Null when a price is unknown.'),
  })
  .openapi('BookValue');

const amount = (description: string) => orNull(BookAmount, description);

const BookTokenIncome = z
  .strictObject({
    mint: addressOut('Mint of the token.'),
    interestEarned: amount('Interest earned by vault shares and deposits. Null when a rate is unknown.'),
    interestPaid: amount('Interest that accrued on debts. Null when a rate is unknown.'),
    rewards: amount('Rewards that farms paid out. Null when an amount is unknown.'),
    fees: amount('Fees of borrows. Null when an amount is unknown.'),
    liquidations: amount(
      'Debt that liquidators repaid less collateral that they took: negative in the token of the collateral. Null when an amount is unknown.',
    ),
    realizedGain: BookValue.openapi({
      description: 'Change of prices on what was withdrawn, repaid or sent, without interest.',
    }),
    unrealizedGain: BookValue.openapi({
      description: 'Change during the period of the gain on what is held, without interest.',
    }),
  })
  .openapi('BookTokenIncome');

const BookIncomeTotals = z
  .strictObject({
    interestEarned: BookValue,
    interestPaid: BookValue,
    rewards: BookValue,
    fees: BookValue,
    liquidations: BookValue,
    realizedGain: BookValue,
    unrealizedGain: BookValue,
    profit: BookValue.openapi({
      description:
        'interestEarned - interestPaid + rewards - fees + liquidations + realizedGain + unrealizedGain, exactly.',
    }),
  })
  .openapi('BookIncomeTotals');

const BookIncomePeriod = z
  .strictObject({
    start: dateOut('Start, inclusive.'),
    end: dateOut('End, exclusive.'),
    tokens: z.array(BookTokenIncome).openapi({ description: 'Income by token, ordered by mint.' }),
    total: BookIncomeTotals,
  })
  .openapi('BookIncomePeriod');

export const BookIncome = z
  .strictObject({
    by: z.enum(['DAY', 'MONTH']).openapi({ description: 'Length of the periods.' }),
    method: z.enum(['FIFO', 'AVERAGE']).openapi({ description: 'Method of cost.' }),
    periods: z.array(BookIncomePeriod).openapi({ description: 'Adjacent periods, in order.' }),
    tokens: z.array(BookTokenIncome).openapi({ description: 'Sums over all periods, by token.' }),
    total: BookIncomeTotals,
    gaps: z
      .array(
        z
          .strictObject({
            reason: z
              .enum(['TRANSACTIONS_MISSING', 'ACCOUNT_UNREADABLE', 'RATE_UNKNOWN', 'ORIGIN_UNKNOWN'])
              .openapi({ description: 'Reason.' }),
            address: addressOut('The wallet, vault, obligation, reserve, farm or mint concerned.'),
          })
          .openapi('BookIncomeGap'),
      )
      .openapi({ description: 'What is not known. Empty when everything is.' }),
    complete: z.boolean().openapi({
      description: 'Whether there are no `gaps`, and every price was recorded.',
    }),
  })
  .openapi('BookIncome');

const choice = {
  ...range,
  by: onceOf(['DAY', 'MONTH'], 'Length of the periods, by UTC. Defaults to MONTH.'),
  method: onceOf(
    ['FIFO', 'AVERAGE'],
    'Units that count as given up first: those acquired first, or an equal part of all. Defaults to FIFO.',
  ),
};

export const IncomeQuery = z.object(choice);
export const IncomeCsvQuery = z.object({
  ...choice,
  format,
  header,
  cursor: onceText(
    'Continues after the row with this cursor. Only valid for the same wallet, `by` and `method`.',
  ),
});
