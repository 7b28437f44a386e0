import type { View } from '../chain/view/view.ts';
import type { VaultRecord } from '../services/request/records.ts';
import { denominationOf } from '../services/tokens/amounts.ts';
import {
  allocationShares,
  sharePriceUsd,
  sharesIssued,
  tokensPerShare,
  totalValue,
  vaultFees,
  vaultInterest,
} from '../services/vaults/vaults.ts';
import { currentYieldParts, theoreticalBaseApy } from '../services/vaults/yields.ts';
import type { VaultSample } from '../store/history/samples.ts';

/**
 * The recorded values of a vault. Null when a reserve that it invests in cannot be read; values are never
 * guessed.
 */
export function sampleVault(view: View, vault: VaultRecord, holders: number | null): VaultSample | null {
  const value = totalValue(view, vault);
  const perShare = tokensPerShare(view, vault);
  const apy = currentYieldParts(view, vault);
  if (value === null || perShare === null || apy === null) return null;
  const { earned, perSecond } = vaultInterest(view, vault);
  const { cumulativePerformance, cumulativeManagement } = vaultFees(view, vault);
  const { tokenMint, tokenMintDecimals } = vault.value;
  return {
    vault: vault.address,
    tvlTokens: value.amount,
    tvlUsd: value.usd,
    tvlSol: value.sol,
    tokensPerShare: perShare,
    tokenPriceUsd: denominationOf(view, tokenMint, tokenMintDecimals).priceUsd,
    sharePriceUsd: sharePriceUsd(view, vault),
    sharesIssued: sharesIssued(vault),
    apyActual: apy.base,
    apyTheoretical: theoreticalBaseApy(view, vault),
    apyFarmRewards: apy.farmRewards,
    apyIncentives: apy.incentives,
    apyReservesIncentives: apy.reserveRewards,
    interest: earned.amount,
    interestUsd: earned.usd,
    interestSol: earned.sol,
    interestPerSecond: perSecond?.amount ?? null,
    performanceFees: cumulativePerformance.amount,
    managementFees: cumulativeManagement.amount,
    holders,
    allocations: allocationShares(view, vault) ?? [],
    rewards: apy.rewards,
  };
}
