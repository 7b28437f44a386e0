import type { View } from '../../chain/view.ts';
import type { PricedReserve, PricedReserves } from '../../domain/obligation.ts';
import { perView } from '../per-view.ts';
import type { ReserveRecord } from '../records.ts';
import { refreshedReserve } from '../refreshed-reserves.ts';
import { Valuation } from '../valuation.ts';

const priced = perView(
  (view: View, reserve: ReserveRecord): PricedReserve => ({
    accrued: refreshedReserve(view, reserve),
    priceUsd: Valuation.of(view).priceOf(reserve.value)?.usd ?? null,
  }),
);

/** The reserves of a View as the program would refresh them at its slot, with the rounding that decides about a loan. */
export function programReserves(view: View): PricedReserves {
  return (address) => {
    const reserve = view.get('reserve', address);
    return reserve && priced(view, reserve);
  };
}
