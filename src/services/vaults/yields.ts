import { fromBps } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import {
  actualApy,
  apyBreakdown,
  reserveRewardsApy,
  theoreticalApy as theoreticalBase,
} from '../../domain/apy.ts';
import { total } from '../../domain/arithmetic.ts';
import { lendingApy } from '../../domain/rates.ts';
import type { VaultHoldings } from '../../domain/vault.ts';
import { campaignApysOfReserve, campaignApysOfVault } from '../farms/campaigns.ts';
import { farmAt, type RewardApy, rewardApys, totalRewardApy } from '../farms/farms.ts';
import { perView } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import { rewardsRate, type Yield } from '../reserves/reserves.ts';
import { fromHoldings, stakedSharesUsd, vaultAmount } from './vaults.ts';

/** Reward APYs of the vault's farm for staked shares. */
function farmRewardApys(view: View, vault: VaultRecord): RewardApy[] {
  const farm = farmAt(view, vault.value.vaultFarm);
  return farm === undefined ? [] : rewardApys(view, farm, stakedSharesUsd(view, vault, farm));
}

/** Rewards on top of interest: the vault's farm, campaigns on the vault, and campaigns and rewards of its reserves. */
function rewardParts(view: View, vault: VaultRecord, holdings: VaultHoldings) {
  const farm = farmRewardApys(view, vault);
  const campaigns = campaignApysOfVault(view, vault.address, vaultAmount(view, vault, holdings.aum).usd);
  const onReserves = (reserve: VaultRecord['address']) => campaignApysOfReserve(view, reserve, 'deposit');
  return {
    rewards: [...farm, ...campaigns],
    parts: {
      farmRewards: totalRewardApy(farm),
      incentives: totalRewardApy(campaigns),
      reserveRewards: total([
        reserveRewardsApy(holdings, (reserve) => totalRewardApy(onReserves(reserve))),
        ownRewardsApy(view, vault, holdings),
      ]),
    },
  };
}

/**
 * Yield of the rewards that the vault's reserves add to their supply. They are earnings of the vault, which charges its
 * performance fee on them.
 */
function ownRewardsApy(view: View, { value }: VaultRecord, holdings: VaultHoldings): Rational {
  const shareholdersPart = ONE.sub(fromBps(value.performanceFeeBps));
  return reserveRewardsApy(holdings, (address) => {
    const reserve = view.get('reserve', address);
    return reserve === undefined ? ZERO : lendingApy(rewardsRate(view, reserve).mul(shareholdersPart));
  });
}

/** Yield at which the value of shares grows: interest and the reserves' own rewards, after fees. */
export function shareGrowthApy(view: View, vault: VaultRecord): Rational | null {
  return fromHoldings(view, vault, (holdings) =>
    total([actualApy(vault.value, holdings, view.moment).net, ownRewardsApy(view, vault, holdings)]),
  );
}

/** The parts of the current yield without sums and not rounded, for the recorder. */
export type YieldParts = Pick<Yield, 'base' | 'farmRewards' | 'incentives' | 'reserveRewards' | 'rewards'>;

export function currentYieldParts(view: View, vault: VaultRecord): YieldParts | null {
  return fromHoldings(view, vault, (holdings) => {
    const { rewards, parts } = rewardParts(view, vault, holdings);
    return { base: actualApy(vault.value, holdings, view.moment).net, ...parts, rewards };
  });
}

/** Yield of the current allocation. */
export const currentYield = perView((view: View, vault: VaultRecord): Yield | null => {
  return fromHoldings(view, vault, (holdings) => {
    const { rewards, parts } = rewardParts(view, vault, holdings);
    const base = actualApy(vault.value, holdings, view.moment);
    return { ...apyBreakdown(base, parts), basis: 'CURRENT', rewards };
  });
});

/** Interest at target weights with every token invested. Null when a weighted reserve could not be read. */
export function theoreticalBaseApy(view: View, vault: VaultRecord): Rational | null {
  return fromHoldings(view, vault, (holdings) => {
    const base = theoreticalBase(vault.value, holdings.allocations, view.moment);
    return base?.net ?? null;
  });
}

/** Yield at target weights, with current rewards. */
export const theoreticalYield = perView((view: View, vault: VaultRecord): Yield | null => {
  return fromHoldings(view, vault, (holdings) => {
    const base = theoreticalBase(vault.value, holdings.allocations, view.moment);
    if (base === null) return null;
    const { rewards, parts } = rewardParts(view, vault, holdings);
    return { ...apyBreakdown(base, parts), basis: 'THEORETICAL', rewards };
  });
});
