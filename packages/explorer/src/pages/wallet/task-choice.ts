import { Decimal } from '@sluice/client';
import { movesTogether, type TokenGroup } from './token-groups.ts';
import type { Loan } from './wallet-documents.ts';

/** A loan with one debt to act on; the largest when there are several. */
export interface Subject {
  readonly loan: Loan;
  readonly debt: Loan['borrows'][number];
}

const usdOf = ({ amount }: Loan['borrows'][number] | Loan['deposits'][number]): Decimal =>
  Decimal.of(amount?.usd ?? '0');

const largest = <Side extends Loan['borrows'][number] | Loan['deposits'][number]>(
  sides: readonly Side[],
): Side | undefined => [...sides].sort((a, b) => usdOf(b).compare(usdOf(a)))[0];

const subjectOf = (loan: Loan | undefined): Subject | null => {
  if (loan === undefined) return null;
  const debt = largest(loan.borrows);
  return debt === undefined || debt.reserve === null ? null : { loan, debt };
};

export const collateralOf = ({ loan }: Subject): Loan['deposits'][number] | undefined =>
  largest(loan.deposits);

/** Health that a task brings a loan to. */
export const SAFE_HEALTH = '2';

/** The loan that costs most a year, for its size, with one token on each side so that selling ends it. */
export function loanToLeave(loans: readonly Loan[]): Subject | null {
  const costly = loans
    .filter(
      ({ deposits, borrows, netApy, market }) =>
        deposits.length === 1 &&
        borrows.length === 1 &&
        market !== null &&
        netApy !== null &&
        Decimal.of(netApy).isNegative,
    )
    .sort((a, b) => Decimal.of(a.netApy ?? '0').compare(Decimal.of(b.netApy ?? '0')));
  return subjectOf(costly[0]);
}

/** The loan nearest to liquidation, other than the one to leave where there is another. Null when none is below the target. */
export function loanToProtect(loans: readonly Loan[], leaving: Subject | null): Subject | null {
  const near = loans
    .filter(
      ({ healthFactor }) =>
        healthFactor !== null && Decimal.of(healthFactor).compare(Decimal.of(SAFE_HEALTH)) < 0,
    )
    .sort((a, b) => Decimal.of(a.healthFactor ?? '0').compare(Decimal.of(b.healthFactor ?? '0')));
  return subjectOf(near.find(({ address }) => address !== leaving?.loan.address) ?? near[0]);
}

/** The largest debt of a loan whose collateral does not move with it: a swap keeps what the loan is for. */
export function loanToChange(loans: readonly Loan[], groups: readonly TokenGroup[]): Subject | null {
  const subjects = loans
    .filter((loan) => loan.market !== null && !movesTogether(loan, groups))
    .flatMap((loan) => subjectOf(loan) ?? []);
  return subjects.sort((a, b) => usdOf(b.debt).compare(usdOf(a.debt)))[0] ?? null;
}

export interface OtherReserve {
  readonly address: string;
  readonly status: string;
  readonly token: { readonly mint: string; readonly symbol: string };
  readonly price: { readonly usd: string } | null;
  readonly borrowApy: { readonly total: string };
  readonly borrowable: { readonly amount: string };
}

export interface CheaperDebt {
  readonly reserve: string;
  readonly symbol: string;
  readonly apy: string;
  /** USD a year. */
  readonly saved: Decimal;
}

const [LEAST, MOST] = [Decimal.of('0.95'), Decimal.of('1.05')];
/** Less than this a year is not worth a transaction. */
const LEAST_SAVED = Decimal.of('1');

/** The cheapest other reserve whose token has about the same price and that can lend the whole debt. */
export function cheaperDebt({ debt }: Subject, reserves: readonly OtherReserve[]): CheaperDebt | null {
  const { reserve, amount } = debt;
  if (reserve === null || reserve.price === null || amount === null || amount.usd === null) return null;
  const owedUsd = Decimal.of(amount.usd);
  const now = Decimal.of(reserve.borrowApy.total);
  const owedPrice = Decimal.of(reserve.price.usd);
  const offers = reserves.flatMap((other): CheaperDebt[] => {
    const { address, token, price, borrowApy, borrowable, status } = other;
    if (address === reserve.address || price === null || status !== 'ACTIVE' || owedPrice.isZero) return [];
    const ratio = Decimal.of(price.usd).dividedBy(owedPrice, 9);
    if (ratio.compare(LEAST) < 0 || ratio.compare(MOST) > 0) return [];
    if (Decimal.of(borrowable.amount).times(Decimal.of(price.usd)).compare(owedUsd) < 0) return [];
    const saved = owedUsd.times(now.minus(Decimal.of(borrowApy.total)));
    return [{ reserve: address, symbol: token.symbol, apy: borrowApy.total, saved }];
  });
  const best = offers.sort((a, b) => b.saved.compare(a.saved))[0];
  return best === undefined || best.saved.compare(LEAST_SAVED) < 0 ? null : best;
}
