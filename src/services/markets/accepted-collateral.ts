import type { View } from '../../chain/view/view.ts';
import { borrowTerms } from '../../domain/borrow-terms.ts';
import { perView } from '../request/per-view.ts';
import type { ReserveRecord } from '../request/records.ts';
import { reservesOfMarket } from './markets.ts';

/**
 * The reserves of the market against which a reserve can be borrowed now, largest supply first. Empty when it lends nothing,
 * and when its market cannot be read.
 */
export const acceptedCollateral = perView((view: View, reserve: ReserveRecord): ReserveRecord[] => {
  const market = view.get('market', reserve.value.lendingMarket);
  if (market === undefined) return [];
  const addressed = ({ address, value }: ReserveRecord) => ({ address, account: value });
  const debt = addressed(reserve);
  return reservesOfMarket(view, market).filter(
    (collateral) => borrowTerms(market.value, addressed(collateral), debt, view.moment).length > 0,
  );
});
