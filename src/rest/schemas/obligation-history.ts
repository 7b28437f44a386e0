import { z } from '@hono/zod-openapi';
import { address, addressOut } from './address.ts';
import { dateOut, range } from './date.ts';
import { decimalOut } from './decimal.ts';
import { env } from './env.ts';
import { programId } from './program-id.ts';
import { onceBoolean, onceOf } from './query.ts';
import { RefreshedStats } from './refreshed-stats.ts';

export const ObligationParams = z.object({
  marketPubkey: address('Lending market.'),
  obligationPubkey: address('Obligation.'),
});

export const ObligationHistoryQuery = z.object({
  env,
  ...range,
  useStakeRateForObligation: onceBoolean(
    'Whether liquid-staking tokens are valued in SOL at their stake rate instead of their price.',
  ),
});

export const ObligationPnlQuery = z.object({
  env,
  programId,
  positionMode: onceOf(
    ['obligation_all_time', 'current_obligation'],
    'From when on: everything that ever happened to it, or since it was last empty; `current_obligation` when left out.',
  ),
  useStakeRate: onceBoolean(
    'Whether liquid-staking tokens are valued in SOL at their stake rate instead of their price.',
  ),
});

const PastPosition = z
  .strictObject({
    amount: decimalOut(
      'Base units of the token, with interest up to that moment: a fraction is what accrues between units.',
    ),
    mintAddress: addressOut('Mint of the token.'),
    marketValueRefreshed: decimalOut('USD at the price of that moment.'),
  })
  .openapi('PastPosition');

const ObligationSolValues = z
  .strictObject({
    netValueSol: decimalOut('`collateralValueSol` - `debtValueSol`.'),
    collateralValueSol: decimalOut('Deposits in SOL: `userTotalDeposit` / `solPrice`, or by stake rates.'),
    debtValueSol: decimalOut('Debts in SOL, in the same way.'),
    solPrice: decimalOut('USD per SOL.'),
    timestampSolPrice: dateOut('When that price was seen.'),
    timestampObligation: dateOut('The moment at which the obligation is valued.'),
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
        'What it is for: 0 = Vanilla, 1 = Multiply, 2 = Lending, 3 = Leverage. 0 too where a closed account no longer tells.',
    }),
    obligationSolValues: ObligationSolValues,
  })
  .openapi('ObligationHistoryEntry');

export const ObligationHistory = z
  .strictObject({
    obligation: addressOut('The obligation.'),
    history: z.array(ObligationHistoryEntry),
  })
  .openapi('ObligationHistory');

export const ObligationPnl = z
  .strictObject({
    usd: decimalOut('Profit in USD, negative for a loss; "0" when the price of a moment is unknown.'),
    sol: decimalOut('Profit in SOL, negative for a loss; "0" when the price of a moment is unknown.'),
    invested: z
      .strictObject({
        usd: decimalOut('USD; "0" when the price of a moment is unknown.'),
        sol: decimalOut('SOL; "0" when the price of a moment is unknown.'),
      })
      .openapi({ description: 'Put in minus taken out, each at the prices of its moment.' }),
  })
  .openapi('ObligationPnl');
