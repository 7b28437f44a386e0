import type * as obligations from '../../services/obligations.ts';
import { builder } from '../builder.ts';
import { ReserveRef, reserveLink } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';

export const ObligationTagRef = builder.enumType('ObligationTag', {
  description: 'What an obligation is for.',
  values: {
    VANILLA: { description: 'Free use of deposits and borrows.' },
    MULTIPLY: { description: 'One collateral, one debt of a like kind, leveraged.' },
    LENDING: { description: 'Supplying one token only.' },
    LEVERAGE: { description: 'One collateral, one debt of another kind, leveraged.' },
    LENDING_FIXED_RATE: { description: 'Lending at a fixed rate.' },
    MULTIPLY_FIXED_RATE: { description: 'Multiply at a fixed rate.' },
    LEVERAGE_FIXED_RATE: { description: 'Leverage at a fixed rate.' },
  } as const,
});

export const ObligationDepositRef = builder
  .objectRef<obligations.ObligationDeposit>('ObligationDeposit')
  .implement({
    description: 'What an obligation has deposited in one reserve.',
    fields: (t) => ({
      reserveAddress: t.field({
        type: 'Address',
        nullable: false,
        description: 'Address of the reserve.',
        resolve: ({ position }) => position.reserve,
      }),
      reserve: t.field({
        type: ReserveRef,
        nullable: true,
        description: 'The reserve. Null, with an error, when it cannot be read.',
        resolve: ({ position }, _args, { session }) => reserveLink(session, position.reserve),
      }),
      amount: t.expose('amount', {
        type: TokenAmountRef,
        nullable: true,
        description:
          'What the deposit is worth in the reserve\u2019s token. Null when the reserve cannot be read.',
      }),
      collateral: t.expose('collateral', {
        type: 'Decimal',
        nullable: false,
        description: 'Whole collateral tokens (cTokens).',
      }),
      maxLtv: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Share of its value that may be borrowed, under the obligation\u2019s elevation group. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.maxLtv,
      }),
      liquidationLtv: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'Share of its value at which debt can be liquidated. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.liquidationLtv,
      }),
      liquidationPriceUsd: t.expose('liquidationPriceUsd', {
        type: 'Decimal',
        nullable: true,
        description:
          'Price of this token at which the obligation can be liquidated, all else unchanged. Null without debt, and when no price of this token alone brings it there.',
      }),
    }),
  });

export const ObligationBorrowRef = builder
  .objectRef<obligations.ObligationBorrow>('ObligationBorrow')
  .implement({
    description: 'What an obligation owes to one reserve.',
    fields: (t) => ({
      reserveAddress: t.field({
        type: 'Address',
        nullable: false,
        description: 'Address of the reserve.',
        resolve: ({ position }) => position.reserve,
      }),
      reserve: t.field({
        type: ReserveRef,
        nullable: true,
        description: 'The reserve. Null, with an error, when it cannot be read.',
        resolve: ({ position }, _args, { session }) => reserveLink(session, position.reserve),
      }),
      amount: t.expose('amount', {
        type: TokenAmountRef,
        nullable: true,
        description:
          'The debt with interest up to the View\u2019s slot. Null when the reserve cannot be read.',
      }),
      borrowFactor: t.field({
        type: 'Decimal',
        nullable: true,
        description:
          'What the debt is multiplied by before it is held against limits. Null when the reserve cannot be read.',
        resolve: ({ position }) => position.borrowFactor,
      }),
      factoredUsd: t.field({
        type: 'Decimal',
        nullable: true,
        description: 'USD value times borrow factor. Null when the reserve or its price is unknown.',
        resolve: ({ position }) => position.factoredUsd,
      }),
      liquidationPriceUsd: t.expose('liquidationPriceUsd', {
        type: 'Decimal',
        nullable: true,
        description:
          'Price of this token at which the obligation can be liquidated, all else unchanged. Null when no price of this token alone decides it.',
      }),
    }),
  });

/** The figures of an obligation, now or in the past. */
export interface ShownStats {
  readonly stats: NonNullable<obligations.ValuedObligation['stats']>;
  potentialGroup(): number;
}

export const ObligationStatsRef = builder.objectRef<ShownStats>('ObligationStats').implement({
  description:
    'An obligation as a whole, at the View\u2019s slot, or at a moment of its past. USD, or fractions; a division by zero gives 0.',
  fields: (t) => {
    type Name = keyof ShownStats['stats'];
    const figure = (name: Name, description: string) =>
      t.field({ type: 'Decimal', nullable: false, description, resolve: ({ stats }) => stats[name] });
    return {
      leverage: figure('leverage', 'Deposits / net value.'),
      borrowLimit: figure('borrowLimit', 'USD up to which factored debt may grow by borrowing.'),
      loanToValue: figure('loanToValue', 'Factored debt / deposits that count for borrowing.'),
      liquidationLtv: figure('liquidationLtv', 'Liquidation limit / deposits that count for liquidation.'),
      netAccountValue: figure('netAccountValue', 'Deposits less debts, USD.'),
      userTotalBorrow: figure('userTotalBorrow', 'Debts, USD.'),
      userTotalDeposit: figure('userTotalDeposit', 'Deposits, USD.'),
      borrowUtilization: figure('borrowUtilization', 'Factored debt / borrow limit.'),
      borrowLiquidationLimit: figure(
        'borrowLiquidationLimit',
        'USD from which on factored debt can be liquidated.',
      ),
      userTotalCollateralDeposit: figure(
        'userTotalCollateralDeposit',
        'Deposits that count for borrowing, USD.',
      ),
      userTotalLiquidatableDeposit: figure(
        'userTotalLiquidatableDeposit',
        'Deposits that count for liquidation, USD.',
      ),
      userTotalBorrowBorrowFactorAdjusted: figure(
        'userTotalBorrowBorrowFactorAdjusted',
        'Debts times their borrow factors, USD.',
      ),
      potentialElevationGroupUpdate: t.int({
        nullable: false,
        description: 'Number of the elevation group that it could move to and borrow more; 0 for none.',
        resolve: (shown) => shown.potentialGroup(),
      }),
    };
  },
});
