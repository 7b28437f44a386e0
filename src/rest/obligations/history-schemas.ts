import { z } from '@hono/zod-openapi';
import { address, addressOut } from '../values/address.ts';
import { dateOut, range } from '../values/date.ts';
import { decimalOut } from '../values/decimal.ts';
import { env } from '../values/env.ts';
import { programId } from '../values/program-id.ts';
import { onceBoolean, onceOf } from '../values/query-values.ts';
import { RefreshedStats } from './refreshed-stats-schemas.ts';

export const ObligationParams = z.object({
  marketPubkey: address('Address of the lending market.'),
  obligationPubkey: address('Address of the obligation.'),
});

export const ObligationHistoryQuery = z.object({
  env,
  ...range,
  useStakeRateForObligation: onceBoolean(
    'Whether to value liquid-staking tokens in SOL at their stake rate instead of their price.',
  ),
});

export const ObligationPnlQuery = z.object({
  env,
  programId,
  positionMode: onceOf(
    ['obligation_all_time', 'current_obligation'],
    'Period: the whole life of the obligation, or since it was last empty. Defaults to `current_obligation`.',
  ),
  useStakeRate: onceBoolean(
    'Whether to value liquid-staking tokens in SOL at their stake rate instead of their price.',
  ),
});

const PastPosition = z
  .strictObject({
    amount: decimalOut(
      'Amount in base units of the token, with interest up to that time. It has a fraction where interest has accrued less than one unit.',
    ),
    mintAddress: addressOut('Mint of the token.'),
    marketValueRefreshed: decimalOut('Value in USD, at the price at that time.'),
  })
  .openapi('PastPosition');

const ObligationSolValues = z
  .strictObject({
    netValueSol: decimalOut('`collateralValueSol` - `debtValueSol`, in SOL.'),
    collateralValueSol: decimalOut(
      'Total of deposits in SOL: `userTotalDeposit` / `solPrice`, or at stake rates.',
    ),
    debtValueSol: decimalOut('Total of debts in SOL, computed in the same way.'),
    solPrice: decimalOut('Price of SOL in USD.'),
    timestampSolPrice: dateOut('Time of that price.'),
    timestampObligation: dateOut('Time at which the obligation is valued.'),
  })
  .openapi('ObligationSolValues');

const ObligationHistoryEntry = z
  .strictObject({
    timestamp: dateOut('Start of the bucket.'),
    refreshedStats: RefreshedStats,
    deposits: z.array(PastPosition),
    borrows: z.array(PastPosition),
    tag: z.int().min(0).openapi({
      description:
        'Purpose: 0 = Vanilla, 1 = Multiply, 2 = Lending, 3 = Leverage. Also 0 when the account is closed and its purpose is unknown.',
    }),
    obligationSolValues: ObligationSolValues,
  })
  .openapi('ObligationHistoryEntry');

export const ObligationHistory = z
  .strictObject({
    obligation: addressOut('Address of the obligation.'),
    history: z.array(ObligationHistoryEntry),
  })
  .openapi('ObligationHistory');

export const ObligationPnl = z
  .strictObject({
    usd: decimalOut('Profit in USD, negative for a loss. "0" when a price that it needs was not recorded.'),
    sol: decimalOut('Profit in SOL, negative for a loss. "0" when a price that it needs was not recorded.'),
    invested: z
      .strictObject({
        usd: decimalOut('Value in USD. "0" when a price that it needs was not recorded.'),
        sol: decimalOut('Value in SOL. "0" when a price that it needs was not recorded.'),
      })
      .openapi({
        description:
          'Net investment: deposits and repayments less withdrawals and borrows, each at the prices at its time.',
      }),
  })
  .openapi('ObligationPnl');
