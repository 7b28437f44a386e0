import type { View } from '../chain/view.ts';
import { listReserves } from './reserve-lists.ts';
import { listVaults } from './vault-lists.ts';

/** Addresses for the example queries: the most valuable vault and the largest reserve of a View. */
export function exampleAddresses(view: View | undefined): Readonly<Record<string, string>> {
  if (view === undefined) return {};
  const [vault] = listVaults(view);
  const [reserve] = listReserves(view);
  return {
    ...(vault && {
      vault: vault.address,
      sharesMint: vault.value.sharesMint,
      tokenMint: vault.value.tokenMint,
    }),
    ...(reserve && {
      reserve: reserve.address,
      depositReserve: reserve.address,
      borrowReserve: reserve.address,
      market: reserve.value.lendingMarket,
    }),
  };
}
