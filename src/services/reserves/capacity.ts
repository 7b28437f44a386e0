import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import {
  type BorrowRoute,
  bindingLimit,
  borrowLimits,
  borrowRoutes,
  capsOf,
  type LimitedAmount,
  type ReserveInMarket,
  type ReserveLimit,
  supplyLimits,
  withdrawLimits,
} from '../../domain/reserve-capacity.ts';
import { perView } from '../request/per-view.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { reserveAmount, reservePrice } from './reserves.ts';

/** A limit and what it leaves. */
export interface CapacityLimit {
  readonly name: ReserveLimit;
  readonly amount: TokenAmount;
}

/** Amount of an action that a reserve still allows, and the room under each limit. */
export interface Capacity {
  readonly amount: TokenAmount;
  readonly bindingLimit: ReserveLimit;
  readonly limits: readonly CapacityLimit[];
}

/** Borrowable amount outside elevation groups, or against one collateral inside one. */
export interface BorrowRouteCapacity {
  /** 0 for outside. */
  readonly elevationGroup: number;
  readonly collateral: Address | null;
  /** Room under the route's own cap; null without one. */
  readonly cap: TokenAmount | null;
  readonly amount: TokenAmount;
  readonly bindingLimit: ReserveLimit;
}

export interface ReserveCapacity {
  readonly supply: Capacity;
  readonly borrow: Capacity;
  readonly withdraw: Capacity;
  readonly borrowRoutes: readonly BorrowRouteCapacity[];
}

/** Amounts that all users together can still supply, borrow and withdraw at the View's slot. */
export const reserveCapacity = perView((view: View, reserve: ReserveRecord): ReserveCapacity => {
  const market = view.get('market', reserve.value.lendingMarket)?.value ?? null;
  const state: ReserveInMarket = {
    address: reserve.address,
    account: reserve.value,
    accrued: Valuation.of(view).accrued(reserve),
    market,
    timestamp: view.moment.timestamp,
  };
  const marketReserves = view.reservesOfMarket(reserve.value.lendingMarket);
  const routes = borrowRoutes(
    state,
    market,
    marketReserves.map(({ address, value }) => ({ address, account: value })),
  );
  const shared = borrowLimits(state, reservePrice(view, reserve));
  const caps = capsOf(routes);
  return {
    supply: capacity(view, reserve, supplyLimits(state)),
    borrow: capacity(view, reserve, caps === null ? shared : [...shared, caps]),
    withdraw: capacity(view, reserve, withdrawLimits(state)),
    borrowRoutes: routes.map((route) => routeCapacity(view, reserve, route, shared)),
  };
});

function capacity(view: View, reserve: ReserveRecord, limits: readonly LimitedAmount[]): Capacity {
  return {
    ...binding(view, reserve, limits),
    limits: limits.map(({ limit, amount }) => ({
      name: limit,
      amount: reserveAmount(view, reserve, amount),
    })),
  };
}

function binding(view: View, reserve: ReserveRecord, limits: readonly LimitedAmount[]) {
  const { limit, amount } = bindingLimit(limits) ?? { limit: 'NOT_ALLOWED', amount: 0n };
  return { amount: reserveAmount(view, reserve, amount), bindingLimit: limit };
}

function routeCapacity(
  view: View,
  reserve: ReserveRecord,
  route: BorrowRoute,
  shared: readonly LimitedAmount[],
): BorrowRouteCapacity {
  const own = capsOf([route]);
  return {
    elevationGroup: route.group,
    collateral: route.collateral,
    cap: own && reserveAmount(view, reserve, own.amount),
    ...binding(view, reserve, own === null ? shared : [...shared, own]),
  };
}
