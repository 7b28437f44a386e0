import type { VaultState } from '@sluice/protocol/kvault/vault-state';
import { fromBps } from '@sluice/protocol/numeric/fraction';
import { ONE, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import {
  actualApy,
  apyBreakdown,
  reserveRewardsApy,
  theoreticalApy as theoreticalBase,
} from '../../domain/apy.ts';
import { total } from '../../domain/arithmetic.ts';
import type { Moment } from '../../domain/moment.ts';
import { lendingApy } from '../../domain/rates.ts';
import { suppliedUsd } from '../../domain/reserve.ts';
import type { VaultHoldings } from '../../domain/vault.ts';
import {
  campaignApysOfReserve,
  campaignApysOfVault,
  campaignApysOn,
  hasDepositCampaign,
} from '../farms/campaigns.ts';
import { farmAt, type RewardApy, rewardApys, totalRewardApy } from '../farms/farms.ts';
import { perView } from '../request/per-view.ts';
import type { VaultRecord } from '../request/records.ts';
import { rewardsRate, rewardsRateOf, type Yield } from '../reserves/reserves.ts';
import { Valuation } from '../tokens/valuation.ts';
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
        ownRewardsApy(vault.value, holdings, ratesIn(view)),
      ]),
    },
  };
}

/** Yearly rate of a reserve's own rewards, not compounded. */
type RewardsRates = (reserve: Address) => Rational;

const ratesIn =
  (view: View): RewardsRates =>
  (address) => {
    const reserve = view.get('reserve', address);
    return reserve === undefined ? ZERO : rewardsRate(view, reserve);
  };

/**
 * Yield of the rewards that the vault's reserves add to their supply. They are earnings of the vault, which charges its
 * performance fee on them.
 */
function ownRewardsApy(
  { performanceFeeBps }: VaultState,
  holdings: VaultHoldings,
  rateOf: RewardsRates,
): Rational {
  const shareholdersPart = ONE.sub(fromBps(performanceFeeBps));
  return reserveRewardsApy(holdings, (address) => lendingApy(rateOf(address).mul(shareholdersPart)));
}

/** Yield of a vault in another state than the View's, such as after moves between its reserves. */
export interface YieldOfHoldings {
  /** After fees. */
  readonly interest: Rational;
  /** Rewards of its reserves. Null when a campaign pays on a reserve whose price is unknown. */
  readonly reserveRewards: Rational | null;
}

export function yieldOfHoldings(
  view: View,
  vault: VaultState,
  holdings: VaultHoldings,
  moment: Moment,
): YieldOfHoldings {
  const states = new Map(
    holdings.allocations.flatMap(({ allocation, reserve }) =>
      reserve === null ? [] : [[allocation.reserve, reserve]],
    ),
  );
  const suppliedUsdIn = (address: Address): Rational | null => {
    const priceUsd = Valuation.of(view).priced(address)?.priceUsd ?? null;
    const state = states.get(address);
    return priceUsd === null || state === undefined ? null : suppliedUsd(state, priceUsd);
  };
  const rate: RewardsRates = (address) => {
    const state = states.get(address);
    return state === undefined ? ZERO : rewardsRateOf(view, state);
  };
  const isUnknown = [...states.keys()].some(
    (address) => hasDepositCampaign(view, address) && suppliedUsdIn(address) === null,
  );
  const campaigns = (address: Address) =>
    totalRewardApy(campaignApysOn(view, address, 'deposit', suppliedUsdIn(address)));
  return {
    interest: actualApy(vault, holdings, moment).net,
    reserveRewards: isUnknown
      ? null
      : total([reserveRewardsApy(holdings, campaigns), ownRewardsApy(vault, holdings, rate)]),
  };
}

/** Yield at which the value of shares grows: interest and the reserves' own rewards, after fees. */
export function shareGrowthApy(view: View, vault: VaultRecord): Rational | null {
  return fromHoldings(view, vault, (holdings) =>
    total([
      actualApy(vault.value, holdings, view.moment).net,
      ownRewardsApy(vault.value, holdings, ratesIn(view)),
    ]),
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
