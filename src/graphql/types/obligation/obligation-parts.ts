import type * as obligations from '../../../services/obligations/obligations.ts';
import { penaltyOfFullRepayment } from '../../../services/reserves/early-repay.ts';
import { builder } from '../../builder.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';

export const ObligationTagRef = builder.enumType('ObligationTag', {
  description: 'Purpose of an obligation.',
  values: {
    VANILLA: { description: 'General use: any deposits and borrows.' },
    MULTIPLY: { description: 'Leveraged: one collateral and one debt of a correlated asset.' },
    LENDING: { description: 'Supply of a single token.' },
    LEVERAGE: { description: 'Leveraged: one collateral and one debt of an uncorrelated asset.' },
    LENDING_FIXED_RATE: { description: 'Lending at a fixed rate.' },
    MULTIPLY_FIXED_RATE: { description: 'Multiply at a fixed rate.' },
    LEVERAGE_FIXED_RATE: { description: 'Leverage at a fixed rate.' },
  } as const,
});

export const ObligationDepositRef = builder
  .objectRef<obligations.ObligationDeposit>('ObligationDeposit')
  .implement({
    description: 'The deposit of an obligation in one reserve.',
    fields: (t) => ({
      ...reserveFields(t, ({ position }) => position.reserve),
      amount: t.expose('amount', {
        type: TokenAmountRef,
        nullable: true,
        description: 'The deposit in tokens of the reserve. Null when the reserve cannot be read.',
      }),
      collateral: t.expose('collateral', {
        type: 'Decimal',
        description: 'Collateral tokens (cTokens), in whole tokens.',
      }),
      maxLtv: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Maximum loan-to-value of the deposit as a fraction, given the obligation\u2019s elevation group. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.maxLtv,
      }),
      liquidationLtv: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Liquidation threshold of the deposit: the fraction of its value at which debt can be liquidated. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.liquidationLtv,
      }),
      liquidationPriceUsd: t.expose('liquidationPriceUsd', {
        type: 'Decimal',
        nullable: true,
        description:
          'Price of this token in USD at which the obligation can be liquidated, all else unchanged. Null without debt, and when no price of this token alone leads to liquidation.',
      }),
    }),
  });

export const ObligationBorrowRef = builder
  .objectRef<obligations.ObligationBorrow>('ObligationBorrow')
  .implement({
    description: 'The debt of an obligation to one reserve.',
    fields: (t) => ({
      ...reserveFields(t, ({ position }) => position.reserve),
      amount: t.expose('amount', {
        type: TokenAmountRef,
        nullable: true,
        description:
          'The debt, with interest up to the slot of the View. Null when the reserve cannot be read.',
      }),
      earlyRepayPenalty: t.field({
        type: TokenAmountRef,
        nullable: true,
        description:
          'Price of repaying all of the debt at the time of the View, before the end of its term: the wallet pays it on top of the debt. A part of the debt costs its part. 0 tokens when nothing is charged: in a reserve without a term, after the end of the term, and by liquidations. Null when the reserve cannot be read.',
        resolve: ({ stored }, _args, { session }) => penaltyOfFullRepayment(session.view, stored),
      }),
      borrowFactor: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Factor by which the debt is multiplied before it is compared with the limits. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.borrowFactor,
      }),
      factoredUsd: t.field({
        type: 'Decimal',
        nullable: true,
        description: 'Value in USD times the borrow factor. Null when the reserve or its price is unknown.',
        resolve: ({ position }) => position.factoredUsd,
      }),
      liquidationPriceUsd: t.expose('liquidationPriceUsd', {
        type: 'Decimal',
        nullable: true,
        description:
          'Price of this token in USD at which the obligation can be liquidated, all else unchanged. Null when no price of this token alone leads to liquidation.',
      }),
    }),
  });

/** Totals and ratios of an obligation, now or in the past. */
export interface ShownStats {
  readonly stats: NonNullable<obligations.ValuedObligation['stats']>;
  potentialGroup(): number;
}

export const ObligationStatsRef = builder.objectRef<ShownStats>('ObligationStats').implement({
  description:
    'Totals and ratios of an obligation, at the slot of the View or at a time in the past. Ratios are fractions; a ratio with a zero divisor is 0.',
  fields: (t) => {
    type Name = keyof ShownStats['stats'];
    const figure = (name: Name, description: string) =>
      t.field({ type: 'Decimal', description, resolve: ({ stats }) => stats[name] });
    return {
      leverage: figure('leverage', 'Deposits / net value.'),
      borrowLimitUsd: figure('borrowLimit', 'Maximum adjusted debt for borrowing, in USD.'),
      loanToValue: figure('loanToValue', 'Adjusted debt / deposits that count for borrowing.'),
      liquidationLtv: figure('liquidationLtv', 'Liquidation limit / deposits that count for liquidation.'),
      netAccountValueUsd: figure('netAccountValue', 'Deposits less debts, in USD.'),
      userTotalBorrowUsd: figure('userTotalBorrow', 'Total of debts, in USD.'),
      userTotalDepositUsd: figure('userTotalDeposit', 'Total of deposits, in USD.'),
      borrowUtilization: figure('borrowUtilization', 'Adjusted debt / borrow limit.'),
      borrowLiquidationLimitUsd: figure(
        'borrowLiquidationLimit',
        'Adjusted debt above which the obligation can be liquidated, in USD.',
      ),
      userTotalCollateralDepositUsd: figure(
        'userTotalCollateralDeposit',
        'Total of deposits that count for borrowing, in USD.',
      ),
      userTotalLiquidatableDepositUsd: figure(
        'userTotalLiquidatableDeposit',
        'Total of deposits that count for liquidation, in USD.',
      ),
      userTotalBorrowBorrowFactorAdjustedUsd: figure(
        'userTotalBorrowBorrowFactorAdjusted',
        'Adjusted debt: the sum of debts times their borrow factors, in USD.',
      ),
      potentialElevationGroupUpdate: t.int({
        description:
          'Number of the elevation group in which the obligation could borrow more. 0 when there is none.',
        resolve: (shown) => shown.potentialGroup(),
      }),
    };
  },
});
