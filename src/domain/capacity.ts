import type { Address } from '@solana/kit';
import { fromScaledFraction } from '../numeric/fraction.ts';
import { integer, ONE, Rational, ZERO } from '../numeric/rational.ts';
import type { LendingMarket } from '../programs/klend/lending-market.ts';
import { MAX_BORROWS, type Obligation } from '../programs/klend/obligation.ts';
import { borrowBlock } from './action-blocks.ts';
import { least, positivePart, unitsPerToken } from './arithmetic.ts';
import { capAgainst, capOutsideGroups, remainingUnder } from './borrow-caps.ts';
import { borrowFactor, collateralTerms, NO_GROUP } from './elevation.ts';
import type { AccruedReserve } from './interest.ts';
import type { Moment } from './moment.ts';
import type { Positions, PricedReserve, PricedReserves } from './obligation.ts';
import type { ObligationStats } from './obligation-stats.ts';
import {
  borrowRemaining,
  borrowRemainingUnderUtilization,
  freelyAvailable,
  remainingWithdrawalCap,
} from './reserve.ts';

/** An obligation with all inputs of its limits. */
export interface ObligationInView {
  readonly obligation: Obligation;
  readonly market: LendingMarket;
  readonly reserves: PricedReserves;
  readonly positions: Positions;
  readonly stats: ObligationStats;
}

/** The constraint that prevents borrowing or withdrawing more. */
export type CapacityLimit =
  | 'NOT_ALLOWED'
  | 'COLLATERAL'
  | 'LIQUIDITY'
  | 'BORROW_LIMIT'
  | 'UTILIZATION'
  | 'OUTSIDE_GROUPS'
  | 'GROUP'
  | 'OUTFLOW'
  | 'POSITION';

/** One limit and the base units that it allows. */
export interface Capacity {
  readonly limit: CapacityLimit;
  readonly amount: Rational;
}

/** With debt, only this fraction of a withdrawal is offered: prices move before the transaction lands. */
const WITHDRAW_MARGIN = Rational.of(999n, 1000n);

/** Base units that the collateral lets the obligation borrow, after the fee, ignoring the reserve's liquidity. */
function borrowPower(view: ObligationInView, debt: AccruedReserve, priceUsd: Rational): Rational {
  const { market, obligation, stats } = view;
  const limit = stats.borrowLimit.min(integer(market.globalAllowedBorrowValue));
  const headroom = positivePart(limit.sub(stats.userTotalBorrowBorrowFactorAdjusted));
  const weight = borrowFactor(market, debt.account, obligation.elevationGroup).mul(priceUsd);
  if (weight.isZero) return ZERO;
  const fee = fromScaledFraction(debt.account.config.fees.originationFeeSf);
  return headroom
    .mul(integer(unitsPerToken(debt.account.liquidity.mintDecimals)))
    .div(weight)
    .div(ONE.add(fee));
}

/** Whether the program allows this obligation to borrow from this reserve at all. */
function mayBorrow(view: ObligationInView, address: Address, debt: AccruedReserve, moment: Moment): boolean {
  const { obligation, market, reserves, positions } = view;
  const known = positions.borrows.some(({ reserve }) => reserve === address);
  if (!known && positions.borrows.length >= MAX_BORROWS) return false;
  const block = borrowBlock({
    market,
    obligation,
    address,
    reserve: debt.account,
    reserveAt: (at) => reserves(at)?.accrued.account,
    timestamp: moment.timestamp,
  });
  return block === null;
}

/** Base units that the elevation group allows to borrow: the smallest headroom among the deposits. Null without limits. */
function groupHeadroom({ obligation, positions, reserves }: ObligationInView): Rational | null {
  const headrooms = positions.deposits.map(({ reserve }) => {
    const account = reserves(reserve)?.accrued.account;
    return account === undefined ? ZERO : remainingUnder(capAgainst(account, obligation.elevationGroup));
  });
  // Without any limit, those of the reserve remain.
  return headrooms.length === 0 ? ZERO : least(headrooms.filter((headroom) => headroom !== null));
}

/** The limits of a reserve on what anyone can borrow from it at a unix time (seconds), in base units. */
export function reserveCapacities(accrued: AccruedReserve, timestamp: bigint): Capacity[] {
  const capacities: Capacity[] = [
    { limit: 'LIQUIDITY', amount: freelyAvailable(accrued) },
    { limit: 'BORROW_LIMIT', amount: borrowRemaining(accrued) },
    { limit: 'UTILIZATION', amount: borrowRemainingUnderUtilization(accrued) },
  ];
  const outflow = remainingWithdrawalCap(accrued.account.config.debtWithdrawalCap, timestamp);
  if (outflow !== null) capacities.push({ limit: 'OUTFLOW', amount: outflow });
  return capacities;
}

/** Every limit on borrowing from a reserve, in base units received. Null when the reserve's price is unknown. */
export function borrowCapacities(
  view: ObligationInView,
  address: Address,
  { accrued, priceUsd }: PricedReserve,
  moment: Moment,
): Capacity[] | null {
  if (priceUsd === null) return null;
  if (!mayBorrow(view, address, accrued, moment)) return [{ limit: 'NOT_ALLOWED', amount: ZERO }];
  const capacities: Capacity[] = [
    { limit: 'COLLATERAL', amount: borrowPower(view, accrued, priceUsd) },
    ...reserveCapacities(accrued, moment.timestamp),
  ];
  if (view.obligation.elevationGroup !== NO_GROUP) {
    const headroom = groupHeadroom(view);
    if (headroom !== null) capacities.push({ limit: 'GROUP', amount: headroom });
    return capacities;
  }
  const outside = remainingUnder(capOutsideGroups(accrued.account));
  if (outside !== null) capacities.push({ limit: 'OUTSIDE_GROUPS', amount: outside });
  return capacities;
}

/**
 * Every limit on withdrawing a deposit, in base units of liquidity. Null when the deposit's reserve or price could not
 * be read; without a deposit the limit is zero.
 */
export function withdrawCapacities(
  view: ObligationInView,
  address: Address,
  { accrued, priceUsd }: PricedReserve,
  moment: Moment,
): Capacity[] | null {
  const deposit = view.positions.deposits.find(({ reserve }) => reserve === address);
  if (deposit === undefined) return [{ limit: 'POSITION', amount: ZERO }];
  if (deposit.amount === null || priceUsd === null) return null;
  const capacities: Capacity[] = [
    { limit: 'POSITION', amount: deposit.amount },
    { limit: 'LIQUIDITY', amount: freelyAvailable(accrued) },
  ];
  const outflow = remainingWithdrawalCap(accrued.account.config.depositWithdrawalCap, moment.timestamp);
  if (outflow !== null) capacities.push({ limit: 'OUTFLOW', amount: outflow });
  const spare = spareCollateral(view, accrued, priceUsd);
  if (spare !== null) capacities.push({ limit: 'COLLATERAL', amount: spare });
  return capacities;
}

/** Base units not needed to back the debt; null when the deposit backs no debt. */
function spareCollateral(
  view: ObligationInView,
  accrued: AccruedReserve,
  priceUsd: Rational,
): Rational | null {
  const { stats, market, obligation } = view;
  const debt = stats.userTotalBorrowBorrowFactorAdjusted;
  if (debt.isZero) return null;
  if (debt.compare(stats.borrowLimit) >= 0) return ZERO;
  const { maxLtv } = collateralTerms(market, accrued.account, obligation.elevationGroup);
  if (maxLtv.isZero || priceUsd.isZero) return null;
  return stats.borrowLimit
    .sub(debt)
    .mul(WITHDRAW_MARGIN)
    .mul(integer(unitsPerToken(accrued.account.liquidity.mintDecimals)))
    .div(maxLtv)
    .div(priceUsd);
}

/** The maximum that can be borrowed or withdrawn: the smallest limit, in base units. Round down before building. */
export function maxAmount(capacities: readonly Capacity[]): Rational {
  return least(capacities.map(({ amount }) => amount)) ?? ZERO;
}
