import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { MAX_BORROWS, type Obligation } from '@sluice/protocol/klend/obligation';
import { fromScaledFraction, toScaledFraction } from '@sluice/protocol/numeric/fraction';
import { integer, Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from './accrued-reserve.ts';
import { type ActionBlock, type ActionState, borrowBlock, withdrawBlock } from './action-blocks.ts';
import { least, unitsPerToken } from './arithmetic.ts';
import { capsOfBorrow, remainingUnder } from './borrow-caps.ts';
import { collateralBorrowScaled } from './borrow-size.ts';
import { collateralTerms, NO_GROUP } from './elevation.ts';
import type { Moment } from './moment.ts';
import type { Positions, PricedReserve, PricedReserves } from './obligation.ts';
import type { ObligationStats } from './obligation-stats.ts';
import { owedTo, refreshedObligation } from './refreshed-obligation.ts';
import {
  borrowRemaining,
  borrowRemainingUnderUtilization,
  freelyAvailable,
  freelyAvailableUnits,
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

/** Whether the program allows this obligation to borrow from this reserve at all. */
function mayBorrow(view: ObligationInView, address: Address, debt: AccruedReserve, moment: Moment): boolean {
  const { positions } = view;
  const known = positions.borrows.some(({ reserve }) => reserve === address);
  if (!known && positions.borrows.length >= MAX_BORROWS) return false;
  return borrowBlock(actionState(view, address, debt, moment)) === null;
}

/** The blocks that leave nothing to withdraw. Of others the maximum, like that of the official SDK, knows nothing. */
const EMERGENCIES: readonly (ActionBlock | null)[] = [
  'MARKET_EMERGENCY',
  'RESERVE_EMERGENCY',
  'POSITION_EMERGENCY',
];

/** Whether an emergency keeps this obligation from withdrawing from this reserve. */
function isStopped(
  view: ObligationInView,
  address: Address,
  accrued: AccruedReserve,
  moment: Moment,
): boolean {
  const hasFarm = presentAddress(accrued.account.farmCollateral) !== null;
  return EMERGENCIES.includes(withdrawBlock(actionState(view, address, accrued, moment), hasFarm));
}

function actionState(
  { obligation, market, reserves }: ObligationInView,
  address: Address,
  { account }: AccruedReserve,
  { timestamp }: Moment,
): ActionState {
  const reserveAt = (at: Address) => reserves(at)?.accrued.account;
  return { market, obligation, address, reserve: account, reserveAt, timestamp };
}

/** The limits of a reserve on what anyone can borrow from it at a unix time (seconds), in base units, fee included. */
export function reserveCapacities(accrued: AccruedReserve, timestamp: bigint): Capacity[] {
  const capacities: Capacity[] = [
    { limit: 'LIQUIDITY', amount: integer(freelyAvailableUnits(accrued)) },
    { limit: 'BORROW_LIMIT', amount: borrowRemaining(accrued) },
    { limit: 'UTILIZATION', amount: borrowRemainingUnderUtilization(accrued) },
  ];
  const outflow = remainingWithdrawalCap(accrued.account.config.debtWithdrawalCap, timestamp);
  if (outflow !== null) capacities.push({ limit: 'OUTFLOW', amount: outflow });
  return capacities;
}

/**
 * Every limit on the debt that a borrow from a reserve adds, base units with the fee: the program compares each with amount
 * and fee together. Null when a price is unknown.
 */
export function borrowCapacities(
  view: ObligationInView,
  address: Address,
  { accrued, priceUsd }: PricedReserve,
  moment: Moment,
): Capacity[] | null {
  const { obligation, market, reserves } = view;
  const refreshed = refreshedObligation(obligation, market, reserves);
  if (priceUsd === null || refreshed === null) return null;
  if (!mayBorrow(view, address, accrued, moment)) return [{ limit: 'NOT_ALLOWED', amount: ZERO }];
  const { elevationGroup } = obligation;
  const priceSf = toScaledFraction(priceUsd);
  const coveredSf = collateralBorrowScaled(refreshed, elevationGroup, accrued.account, priceSf);
  const caps = capsOfBorrow(
    {
      obligation,
      reserveAt: (at) => (at === address ? accrued.account : reserves(at)?.accrued.account),
      owedTo: (at) => owedTo(refreshed, at),
    },
    address,
  );
  const limit = elevationGroup === NO_GROUP ? 'OUTSIDE_GROUPS' : 'GROUP';
  return [
    { limit: 'COLLATERAL', amount: fromScaledFraction(coveredSf) },
    ...reserveCapacities(accrued, moment.timestamp),
    ...caps.flatMap((cap) => remainingUnder(cap) ?? []).map((amount): Capacity => ({ limit, amount })),
  ];
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
  if (isStopped(view, address, accrued, moment)) return [{ limit: 'NOT_ALLOWED', amount: ZERO }];
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

/** The maximum that can be owed or withdrawn: the smallest limit, in base units. Round down before building. */
export function maxAmount(capacities: readonly Capacity[]): Rational {
  return least(capacities.map(({ amount }) => amount)) ?? ZERO;
}
