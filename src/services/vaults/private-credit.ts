import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { isPrivateCredit, vaultAllocations } from './vaults.ts';

/** Markets of the reserves that vaults of private credit have allocations to, by address. */
export function privateCreditMarkets(view: View): Address[] {
  const reserves = [...view.all('vault').values()]
    .filter(({ address }) => isPrivateCredit(view, address))
    .flatMap((vault) => vaultAllocations(view, vault))
    .map(({ holding }) => view.get('reserve', holding.allocation.reserve));
  const markets = reserves.flatMap((reserve) => (reserve === undefined ? [] : reserve.value.lendingMarket));
  return [...new Set(markets)].sort();
}
