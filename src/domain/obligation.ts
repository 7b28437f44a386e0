import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import type {
  Obligation,
  ObligationCollateral,
  ObligationLiquidity,
} from '@sluice/protocol/klend/obligation';
import type { Reserve } from '@sluice/protocol/klend/reserve';
import { roundParts } from '@sluice/protocol/numeric/decimal';
import { fromBigScaledFraction, fromScaledFraction } from '@sluice/protocol/numeric/fraction';
import { type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from './accrued-reserve.ts';
import { valueUsd } from './arithmetic.ts';
import { borrowFactor, collateralTerms } from './elevation.ts';
import { collateralToLiquidity } from './reserve.ts';

/** A reserve at a slot, and the price of its token; null when unknown. */
export interface PricedReserve {
  readonly accrued: AccruedReserve;
  readonly priceUsd: Rational | null;
}

/** Finds a reserve of the obligation's market; undefined when it could not be read. */
export type PricedReserves = (address: Address) => PricedReserve | undefined;

/** One deposit. Nullable fields are null when the reserve could not be read; the value also when the price is unknown. */
export interface DepositPosition {
  readonly reserve: Address;
  /** Collateral tokens, base units. */
  readonly collateral: bigint;
  /** Liquidity, base units. */
  readonly amount: Rational | null;
  readonly priceUsd: Rational | null;
  /** Rounded together with the other values of the obligation, so totals are sums of published values. */
  readonly valueUsd: Rational | null;
  readonly maxLtv: Rational | null;
  readonly liquidationLtv: Rational | null;
}

/** One debt, with the same meaning of null. */
export interface BorrowPosition {
  readonly reserve: Address;
  /** With interest up to the slot, base units. */
  readonly amount: Rational | null;
  readonly priceUsd: Rational | null;
  readonly valueUsd: Rational | null;
  readonly borrowFactor: Rational | null;
  /** Value times borrow factor; the limits apply to this. */
  readonly factoredUsd: Rational | null;
}

export interface Positions {
  readonly elevationGroup: number;
  readonly deposits: readonly DepositPosition[];
  readonly borrows: readonly BorrowPosition[];
}

/** Non-empty deposit slots, in order. */
export function activeDeposits(obligation: Obligation): ObligationCollateral[] {
  return obligation.deposits.filter(({ depositReserve }) => presentAddress(depositReserve) !== null);
}

/** Non-empty borrow slots, in order. */
export function activeBorrows(obligation: Obligation): ObligationLiquidity[] {
  return obligation.borrows.filter(({ borrowReserve }) => presentAddress(borrowReserve) !== null);
}

/** The reserves of the deposits, then those of the debts; one with both is listed twice. */
export function positionReserves(obligation: Obligation): Address[] {
  return [
    ...activeDeposits(obligation).map(({ depositReserve }) => depositReserve),
    ...activeBorrows(obligation).map(({ borrowReserve }) => borrowReserve),
  ];
}

/** Every position of an obligation at the slot of the given reserves, under the terms of its elevation group. */
export function obligationPositions(
  obligation: Obligation,
  market: LendingMarket,
  reserves: PricedReserves,
): Positions {
  const group = obligation.elevationGroup;
  return withRoundedValues({
    elevationGroup: group,
    deposits: activeDeposits(obligation).map((deposit) =>
      depositPosition(deposit, market, group, reserves(deposit.depositReserve)),
    ),
    borrows: activeBorrows(obligation).map((borrow) =>
      borrowPosition(borrow, market, group, reserves(borrow.borrowReserve)),
    ),
  });
}

/** Rounds the known values for publication, all together because totals and the net value are published next to them. */
export function withRoundedValues({ elevationGroup, deposits, borrows }: Positions): Positions {
  const values = roundParts([...deposits, ...borrows].map(({ valueUsd }) => valueUsd ?? ZERO));
  const rounded = (valueUsd: Rational | null, index: number) => valueUsd && (values[index] ?? null);
  return {
    elevationGroup,
    deposits: deposits.map((deposit, i) => ({ ...deposit, valueUsd: rounded(deposit.valueUsd, i) })),
    borrows: borrows.map((borrow, i) => {
      const value = rounded(borrow.valueUsd, deposits.length + i);
      return { ...borrow, valueUsd: value, factoredUsd: factored(value, borrow.borrowFactor) };
    }),
  };
}

function factored(valueUsd: Rational | null, factor: Rational | null): Rational | null {
  return valueUsd && factor && valueUsd.mul(factor);
}

/** The same positions under the terms of another elevation group. */
export function underGroup(
  { deposits, borrows }: Positions,
  market: LendingMarket,
  reserves: PricedReserves,
  group: number,
): Positions {
  return {
    elevationGroup: group,
    deposits: deposits.map((deposit) => {
      const account = reserves(deposit.reserve)?.accrued.account;
      return account === undefined ? deposit : { ...deposit, ...collateralTerms(market, account, group) };
    }),
    borrows: borrows.map((borrow) => {
      const account = reserves(borrow.reserve)?.accrued.account;
      return account === undefined
        ? borrow
        : { ...borrow, ...factoredValue(borrow.valueUsd, market, account, group) };
    }),
  };
}

function depositPosition(
  { depositReserve, depositedAmount }: ObligationCollateral,
  market: LendingMarket,
  group: number,
  reserve: PricedReserve | undefined,
): DepositPosition {
  const head = { reserve: depositReserve, collateral: depositedAmount };
  if (reserve === undefined) {
    return { ...head, amount: null, priceUsd: null, valueUsd: null, maxLtv: null, liquidationLtv: null };
  }
  const amount = collateralToLiquidity(reserve.accrued, depositedAmount);
  return {
    ...head,
    amount,
    priceUsd: reserve.priceUsd,
    valueUsd: positionValue(amount, reserve),
    ...collateralTerms(market, reserve.accrued.account, group),
  };
}

function borrowPosition(
  borrow: ObligationLiquidity,
  market: LendingMarket,
  group: number,
  reserve: PricedReserve | undefined,
): BorrowPosition {
  const head = { reserve: borrow.borrowReserve };
  if (reserve === undefined) {
    return { ...head, amount: null, priceUsd: null, valueUsd: null, borrowFactor: null, factoredUsd: null };
  }
  const amount = debtAmount(borrow, reserve.accrued);
  const value = positionValue(amount, reserve);
  return {
    ...head,
    amount,
    priceUsd: reserve.priceUsd,
    valueUsd: value,
    ...factoredValue(value, market, reserve.accrued.account, group),
  };
}

function factoredValue(
  value: Rational | null,
  market: LendingMarket,
  account: Reserve,
  group: number,
): Pick<BorrowPosition, 'borrowFactor' | 'factoredUsd'> {
  const factor = borrowFactor(market, account, group);
  return { borrowFactor: factor, factoredUsd: factored(value, factor) };
}

/**
 * A debt after its refresh with the reserve, base units in steps of 2^-60. It grows with the reserve's cumulative rate,
 * rounded down like in the program: a repayment rounds it up, so a step more could cost a whole base unit.
 */
export function debtAmount(borrow: ObligationLiquidity, { cumulativeBorrowRate }: AccruedReserve): Rational {
  const then = fromBigScaledFraction(borrow.cumulativeBorrowRateBsf.value);
  if (then.isZero) return fromScaledFraction(borrow.borrowedAmountSf);
  return fromScaledFraction(
    (borrow.borrowedAmountSf * cumulativeBorrowRate.n * then.d) / (cumulativeBorrowRate.d * then.n),
  );
}

function positionValue(amount: Rational, { accrued, priceUsd }: PricedReserve): Rational | null {
  return priceUsd && valueUsd(amount, accrued.account.liquidity.mintDecimals, priceUsd);
}
