import { presentAddress, WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { View } from '../chain/view/view.ts';
import { liquidStakingMints } from '../services/history/staking-yields.ts';
import { listReserves } from '../services/reserves/list.ts';
import { listVaults } from '../services/vaults/list.ts';

/**
 * Addresses for the examples: the most valuable vault, the wallet that administers it, and the largest reserve of a View,
 * a reserve with a withdraw queue, and a liquid-staking token with a reserve of it.
 * Obligations are not part of a View, so none is named.
 */
export function exampleAddresses(view: View | undefined): Readonly<Record<string, string>> {
  if (view === undefined) return {};
  const [vault] = listVaults(view);
  const reserves = listReserves(view);
  const [reserve] = reserves;
  const farm = vault && presentAddress(vault.value.vaultFarm);
  const staked = view.reservesOfMint(liquidStakingMints(view)[0] ?? WRAPPED_SOL_MINT)[0] ?? reserve;
  const queued = reserves.find(({ value }) => value.withdrawQueue.queuedCollateralAmount > 0n) ?? reserve;
  return {
    ...(vault && {
      vault: vault.address,
      wallet: vault.value.vaultAdminAuthority,
      sharesMint: vault.value.sharesMint,
      tokenMint: vault.value.tokenMint,
    }),
    ...(farm && { farm }),
    ...(reserve && {
      reserve: reserve.address,
      depositReserve: reserve.address,
      borrowReserve: reserve.address,
      market: reserve.value.lendingMarket,
    }),
    ...(queued && { queuedReserve: queued.address, queuedMarket: queued.value.lendingMarket }),
    ...(staked && { stakedReserve: staked.address, stakedMint: staked.value.liquidity.mintPubkey }),
  };
}
