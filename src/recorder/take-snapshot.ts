import type { Address } from '@solana/kit';
import type { View } from '../chain/view/view.ts';
import { lendingSources } from '../services/farms/campaigns.ts';
import { marketTotals } from '../services/markets/markets.ts';
import { lendingRewards } from '../services/rewards/rewards.ts';
import { stakeRateSol, tokenPrice } from '../services/tokens/tokens.ts';
import type { RewardSample, Snapshot } from '../store/history/samples.ts';
import { sampleReserve } from './sample-reserve.ts';
import { sampleVault } from './sample-vault.ts';

/** Counts from the hourly scans, by address; uncounted addresses are absent. */
export interface Counts {
  readonly holders: ReadonlyMap<Address, number>;
  readonly obligations: ReadonlyMap<Address, number>;
}

export const NOT_COUNTED: Counts = { holders: new Map(), obligations: new Map() };

/** Everything recorded from a View, at its slot. Pure: the same View gives the same snapshot. */
export function takeSnapshot(view: View, counts: Counts): Snapshot {
  return {
    slot: view.moment.slot,
    sampledAt: new Date(Number(view.moment.timestamp) * 1000),
    vaults: [...view.all('vault').values()].flatMap(
      (vault) => sampleVault(view, vault, counts.holders.get(vault.address) ?? null) ?? [],
    ),
    reserves: [...view.all('reserve').values()].map((reserve) => sampleReserve(view, reserve)),
    markets: [...view.all('market').values()].map((market) => {
      const { suppliedUsd, borrowedUsd } = marketTotals(view, market);
      return {
        market: market.address,
        depositUsd: suppliedUsd,
        borrowUsd: borrowedUsd,
        obligations: counts.obligations.get(market.address) ?? null,
      };
    }),
    prices: [...view.all('mint').keys()].flatMap((mint) => {
      const priceUsd = tokenPrice(view, mint)?.usd ?? null;
      return priceUsd === null ? [] : [{ mint, priceUsd, stakeRateSol: stakeRateSol(view, mint) }];
    }),
    rewards: sampleRewards(view),
  };
}

/** The running campaigns of every source. */
function sampleRewards(view: View): RewardSample[] {
  return lendingSources(view).flatMap((source) =>
    lendingRewards(view, source).map(({ campaign, apy, activePositionsUsd }) => ({
      depositReserve: campaign.depositReserve,
      borrowReserve: campaign.borrowReserve,
      market: campaign.market,
      rewardMint: campaign.rewardToken,
      source: campaign.source,
      apy,
      tokensPerSecond: campaign.tokensPerSecond,
      activePositionsUsd,
    })),
  );
}
