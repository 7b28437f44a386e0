import type { LendingMarket } from '@sluice/protocol/klend/lending-market';
import { atLeastZero } from '@sluice/protocol/numeric/integer';
import { integer } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { AccruedReserve } from './accrued-reserve.ts';
import { lendingBlock, redemptionBlock, supplyBlock } from './action-blocks.ts';
import { capAgainst, capOutsideGroups, remainingUnder } from './borrow-caps.ts';
import { type AddressedReserve, groupsOfPair, NO_GROUP } from './elevation.ts';
import { failedChecks, type PriceUsd } from './price.ts';
import {
  borrowRemaining,
  borrowRemainingUnderUtilization,
  collateralToLiquidity,
  depositRemaining,
  freelyAvailableUnits,
  isInEmergency,
  liquidityToCollateral,
  remainingWithdrawalCap,
  reserveStatus,
} from './reserve.ts';

/** A limit on what everybody together can supply to a reserve, borrow from it or withdraw from it. */
export type ReserveLimit =
  | 'NOT_ALLOWED'
  | 'PRICE'
  | 'DEPOSIT_LIMIT'
  | 'BORROW_LIMIT'
  | 'DEBT_CAPS'
  | 'UTILIZATION'
  | 'LIQUIDITY'
  | 'OUTFLOW'
  | 'SUPPLY';

/** A limit, and the whole base units that it leaves. */
export interface LimitedAmount {
  readonly limit: ReserveLimit;
  readonly amount: bigint;
}

/** A reserve in its market. */
export interface ReserveInMarket extends AddressedReserve {
  /** Refreshed as the program does, so that the last base unit is right. */
  readonly accrued: AccruedReserve;
  /** Null when it cannot be read; then nothing is known to be forbidden. */
  readonly market: LendingMarket | null;
  /** Unix seconds. */
  readonly timestamp: bigint;
}

/** One way to borrow from a reserve: outside elevation groups, or against a collateral inside one. */
export interface BorrowRoute {
  /** 0 for outside. */
  readonly group: number;
  /** Null outside groups. */
  readonly collateral: Address | null;
  /** Base units that its own cap leaves; null without a cap. */
  readonly remaining: bigint | null;
}

const CLOSED: LimitedAmount = { limit: 'NOT_ALLOWED', amount: 0n };

const closedIf = (isClosed: boolean): LimitedAmount[] => (isClosed ? [CLOSED] : []);

/** The limits on supplying. */
export function supplyLimits({ accrued, account, market }: ReserveInMarket): LimitedAmount[] {
  return [
    ...closedIf(market !== null && supplyBlock(market, account) !== null),
    { limit: 'DEPOSIT_LIMIT', amount: depositRemaining(accrued).floor() },
  ];
}

/** The limits on withdrawing. */
export function withdrawLimits({ accrued, account, market, timestamp }: ReserveInMarket): LimitedAmount[] {
  const hasFarm = presentAddress(account.farmCollateral) !== null;
  return [
    ...closedIf(market !== null && redemptionBlock(market, account, hasFarm) !== null),
    { limit: 'SUPPLY', amount: accrued.totalSupply.floor() },
    { limit: 'LIQUIDITY', amount: redeemableWithin(accrued, freelyAvailableUnits(accrued)) },
    ...outflow(account.config.depositWithdrawalCap, timestamp).map(({ limit, amount }) => ({
      limit,
      amount: redeemableWithin(accrued, amount),
    })),
  ];
}

/** The limits on borrowing by any route, fees included. @param price of the reserve's token; null when there is none */
export function borrowLimits(reserve: ReserveInMarket, price: PriceUsd | null): LimitedAmount[] {
  const { accrued, account, market, timestamp } = reserve;
  const isPriceRefused = price === null || (failedChecks(price)?.length ?? 0) > 0;
  return [
    ...closedIf(market !== null && lendingBlock(market, account, timestamp) !== null),
    ...(isPriceRefused ? [{ limit: 'PRICE', amount: 0n } as const] : []),
    { limit: 'LIQUIDITY', amount: freelyAvailableUnits(accrued) },
    { limit: 'BORROW_LIMIT', amount: borrowRemaining(accrued).floor() },
    ...utilization(accrued),
    ...outflow(account.config.debtWithdrawalCap, timestamp),
  ];
}

/** The ways to borrow from a reserve: outside groups first, then by collateral in the order of `others`. */
export function borrowRoutes(
  debt: AddressedReserve,
  market: LendingMarket | null,
  others: readonly AddressedReserve[],
): BorrowRoute[] {
  const routes: BorrowRoute[] = [
    {
      group: NO_GROUP,
      collateral: null,
      remaining: remainingUnder(capOutsideGroups(debt.account))?.floor() ?? null,
    },
  ];
  for (const { address, account } of market === null ? [] : others) {
    if (address === debt.address || reserveStatus(account) === 'OBSOLETE' || isInEmergency(account)) continue;
    for (const { id } of market === null ? [] : groupsOfPair(market, account, debt)) {
      const remaining = remainingUnder(capAgainst(account, id))?.floor() ?? null;
      routes.push({ group: id, collateral: address, remaining });
    }
  }
  return routes;
}

/** Room under the caps of all routes together; each debt counts towards one. Null when one has no cap. */
export function capsOf(routes: readonly BorrowRoute[]): LimitedAmount | null {
  let amount = 0n;
  for (const { remaining } of routes) {
    if (remaining === null) return null;
    amount += remaining;
  }
  return { limit: 'DEBT_CAPS', amount };
}

/** The limit that binds: the smallest, the first of equal ones. Null for an empty list. */
export function bindingLimit(limits: readonly LimitedAmount[]): LimitedAmount | null {
  return limits.reduce<LimitedAmount | null>(
    (least, each) => (least === null || each.amount < least.amount ? each : least),
    null,
  );
}

/** The most that whole collateral tokens pay without exceeding `units`; both are base units of liquidity. */
function redeemableWithin(accrued: AccruedReserve, units: bigint): bigint {
  const tokens = liquidityToCollateral(accrued, integer(units + 1n)).ceil() - 1n;
  return collateralToLiquidity(accrued, atLeastZero(tokens)).floor();
}

type OutflowCap = Parameters<typeof remainingWithdrawalCap>[0];

function outflow(cap: OutflowCap, timestamp: bigint): LimitedAmount[] {
  const remaining = remainingWithdrawalCap(cap, timestamp);
  return remaining === null ? [] : [{ limit: 'OUTFLOW', amount: remaining.floor() }];
}

function utilization(accrued: AccruedReserve): LimitedAmount[] {
  if (accrued.account.config.utilizationLimitBlockBorrowingAbovePct === 0) return [];
  return [{ limit: 'UTILIZATION', amount: borrowRemainingUnderUtilization(accrued).floor() }];
}
