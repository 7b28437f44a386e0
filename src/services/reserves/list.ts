import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { groupsOf } from '../../domain/elevation.ts';
import type { ReserveStatus } from '../../domain/reserve.ts';
import { type SortDirection, type SortKey, sortedBy } from '../paging/sorting.ts';
import type { ReserveRecord } from '../request/records.ts';
import { tokenSymbol } from '../tokens/tokens.ts';
import { borrowed, borrowYield, reserveStatus, supplied, supplyYield, utilization } from './reserves.ts';

export interface ReserveFilter {
  readonly addresses?: readonly Address[] | null | undefined;
  readonly market?: Address | null | undefined;
  readonly tokenMints?: readonly Address[] | null | undefined;
  /** Case-insensitive. */
  readonly tokenSymbol?: string | null | undefined;
  readonly statuses?: readonly ReserveStatus[] | null | undefined;
  readonly elevationGroup?: number | null | undefined;
  readonly minSuppliedUsd?: Rational | null | undefined;
  readonly minSupplyApy?: Rational | null | undefined;
  readonly maxBorrowApy?: Rational | null | undefined;
}

export type ReserveOrderField =
  | 'SUPPLIED'
  | 'BORROWED'
  | 'SUPPLY_APY'
  | 'BORROW_APY'
  | 'UTILIZATION'
  | 'SYMBOL';

export interface ReserveOrder {
  readonly field: ReserveOrderField;
  readonly direction: SortDirection;
}

export const DEFAULT_RESERVE_ORDER: ReserveOrder = { field: 'SUPPLIED', direction: 'DESC' };

/** Reserves of the View that match the filter, sorted; unknown values last. */
export function listReserves(
  view: View,
  filter: ReserveFilter = {},
  order = DEFAULT_RESERVE_ORDER,
): ReserveRecord[] {
  const passing = candidates(view, filter).filter((reserve) => passes(view, reserve, filter));
  return sortReserves(view, passing, order);
}

export function sortReserves(
  view: View,
  reserves: Iterable<ReserveRecord>,
  order = DEFAULT_RESERVE_ORDER,
): ReserveRecord[] {
  return sortedBy(reserves, (reserve) => sortKey(view, reserve, order.field), order.direction);
}

function candidates(view: View, { addresses, market, tokenMints }: ReserveFilter): ReserveRecord[] {
  if (addresses) return [...new Set(addresses)].flatMap((address) => view.get('reserve', address) ?? []);
  if (market) return [...view.reservesOfMarket(market)];
  if (tokenMints) return [...new Set(tokenMints)].flatMap((mint) => view.reservesOfMint(mint));
  return [...view.all('reserve').values()];
}

function passes(view: View, reserve: ReserveRecord, filter: ReserveFilter): boolean {
  const { value, address } = reserve;
  const { minSuppliedUsd, minSupplyApy, maxBorrowApy, tokenSymbol } = filter;
  return (
    (filter.addresses?.includes(address) ?? true) &&
    (!filter.market || value.lendingMarket === filter.market) &&
    (filter.tokenMints?.includes(value.liquidity.mintPubkey) ?? true) &&
    (filter.statuses?.includes(reserveStatus(value)) ?? true) &&
    (!filter.elevationGroup || groupsOf(value).includes(filter.elevationGroup)) &&
    (!tokenSymbol || symbolOf(view, reserve) === tokenSymbol.toLowerCase()) &&
    (!minSuppliedUsd || (supplied(view, reserve).usd?.compare(minSuppliedUsd) ?? -1) >= 0) &&
    (!minSupplyApy || supplyYield(view, reserve).total.compare(minSupplyApy) >= 0) &&
    (!maxBorrowApy || borrowYield(view, reserve).total.compare(maxBorrowApy) <= 0)
  );
}

function symbolOf(view: View, { value }: ReserveRecord): string {
  return tokenSymbol(view, value.liquidity.mintPubkey).toLowerCase();
}

function sortKey(view: View, reserve: ReserveRecord, field: ReserveOrderField): SortKey {
  switch (field) {
    case 'SUPPLIED':
      return supplied(view, reserve).usd;
    case 'BORROWED':
      return borrowed(view, reserve).usd;
    case 'SUPPLY_APY':
      return supplyYield(view, reserve).total;
    case 'BORROW_APY':
      return borrowYield(view, reserve).total;
    case 'UTILIZATION':
      return utilization(view, reserve);
    case 'SYMBOL':
      return symbolOf(view, reserve);
  }
}
