import type { View } from '../chain/view.ts';
import type { AccruedReserve } from '../domain/interest.ts';
import { refreshReserve } from '../domain/refreshed-reserve.ts';
import { perView } from './per-view.ts';
import type { ReserveRecord } from './records.ts';

/**
 * A reserve as the program would refresh it at the View's slot. Published amounts do not need its rounding; amounts that
 * are handed back to the program do.
 */
export const refreshedReserve = perView((view: View, { value }: ReserveRecord): AccruedReserve => {
  const market = view.get('market', value.lendingMarket);
  return refreshReserve(value, view.moment.slot, market?.value.referralFeeBps ?? 0);
});
