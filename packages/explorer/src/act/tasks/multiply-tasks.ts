import { Decimal } from '@sluice/client';
import { choice, field, optional } from './field.ts';
import type { LoanPlace } from './loan-tasks.ts';
import { readAmount, readMultiple, readTokens, type TokenUnit } from './read.ts';
import { given, type Task, task } from './task.ts';

/** A reserve on one side of a leveraged loan. */
export interface LeverageSide extends TokenUnit {
  readonly reserve: string;
  /** Null when it is unknown. */
  readonly priceUsd: string | null;
}

/** Borrow so much for the leverage: the deposit’s value times the leverage less one. Null when a price is unknown. */
export function borrowFor(
  deposit: string,
  leverage: Decimal,
  collateral: LeverageSide,
  debt: LeverageSide,
): string | null {
  if (collateral.priceUsd === null || debt.priceUsd === null) return null;
  const price = Decimal.of(debt.priceUsd);
  if (price.isZero) return null;
  const borrowedUsd = Decimal.of(deposit)
    .times(Decimal.of(collateral.priceUsd))
    .times(leverage.minus(Decimal.of('1')));
  const borrow = borrowedUsd.dividedBy(price, debt.decimals).truncated(debt.decimals);
  return borrow.isZero || borrow.isNegative ? null : borrow.toString();
}

const SWAPPED =
  'The gateway quotes the swap, and everything happens in one transaction: a flash loan pays for it.';

/** Opens a leveraged loan, or adds to the one with the same two tokens. @param debts at least one */
export const openMultiplyTask = (
  market: string,
  collateral: LeverageSide,
  debts: readonly LeverageSide[],
): Task =>
  task({
    name: `Multiply ${collateral.symbol}`,
    about: `Borrows another token against your ${collateral.symbol}, swaps it into more ${collateral.symbol} and deposits that too. ${SWAPPED} If the prices move against you, you lose faster than without leverage.`,
    symbol: collateral.symbol,
    verb: 'deposit',
    fields: {
      deposit: field(`Your own ${collateral.symbol}`, readTokens(collateral)),
      debt: choice(
        'Borrow',
        debts.map(({ reserve, symbol }) => [reserve, symbol]),
      ),
      leverage: field('Leverage, such as 2', readMultiple, {
        hint: 'Value of the deposit / your own part of it. The preview shows what is reached after fees and the swap.',
      }),
    },
    actionOf: (wallet, { deposit, debt, leverage }) => {
      const borrowed = debts.find(({ reserve }) => reserve === debt);
      if (borrowed === undefined || deposit === '0') return null;
      const borrow = borrowFor(deposit, leverage, collateral, borrowed);
      if (borrow === null) return null;
      return {
        multiply: {
          wallet,
          market,
          collateralReserve: collateral.reserve,
          debtReserve: borrowed.reserve,
          deposit: { tokens: deposit },
          borrow: { tokens: borrow },
        },
      };
    },
  });

export interface LeveragedLoan extends LoanPlace {
  readonly collateral: LeverageSide;
  readonly debt: LeverageSide;
}

/** Changes of a leveraged loan: more leverage, less of it, or its end. */
export const leverageTasks = (loan: LeveragedLoan): readonly Task[] => [
  moreTask(loan),
  lessTask(loan),
  closeTask(loan),
];

const placeOf = ({ market, obligation, collateral, debt }: LeveragedLoan) => ({
  market,
  obligation: { address: obligation },
  collateralReserve: collateral.reserve,
  debtReserve: debt.reserve,
});

const moreTask = (loan: LeveragedLoan): Task =>
  task({
    name: 'Add to the position',
    about: `Borrows more ${loan.debt.symbol} and swaps it into ${loan.collateral.symbol}, with your own or without. ${SWAPPED}`,
    symbol: loan.collateral.symbol,
    verb: 'deposit',
    fields: {
      borrow: field(`Borrow in ${loan.debt.symbol}`, readAmount(loan.debt, false)),
      deposit: optional(
        field(
          `Your own ${loan.collateral.symbol} to add (empty for none)`,
          readAmount(loan.collateral, false),
        ),
      ),
    },
    actionOf: (wallet, { borrow, deposit }) => ({
      multiply: { wallet, ...placeOf(loan), borrow, ...given({ deposit }) },
    }),
  });

const lessTask = (loan: LeveragedLoan): Task =>
  task({
    name: 'Reduce leverage',
    about: `Sells as much ${loan.collateral.symbol} as repays a part of the debt. Your wallet pays nothing. ${SWAPPED}`,
    symbol: loan.collateral.symbol,
    verb: 'withdraw',
    fields: { amount: field(`Repay in ${loan.debt.symbol}`, readAmount(loan.debt, false)) },
    actionOf: (wallet, { amount }) => ({ deleverage: { wallet, ...placeOf(loan), amount } }),
  });

const closeTask = (loan: LeveragedLoan): Task =>
  task({
    name: 'Close the position',
    about: `Sells as much ${loan.collateral.symbol} as the whole debt needs, and pays the rest of it into your wallet. ${SWAPPED}`,
    symbol: loan.collateral.symbol,
    verb: 'withdraw',
    fields: {},
    actionOf: (wallet) => ({ deleverage: { wallet, ...placeOf(loan), amount: { all: 'ALL' } } }),
  });
