import { roundParts } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum, ZERO } from '@sluice/protocol/numeric/rational';
import type { View } from '../../chain/view/view.ts';
import type { LendingCampaign, VaultCampaign } from '../../config/catalogue/format.ts';
import { inSol } from '../../domain/price.ts';
import { farmRewards } from '../../domain/rewards.ts';
import { campaignApy, campaignValueUsd, lendingCampaigns, vaultCampaigns } from '../farms/campaigns.ts';
import { farmAt } from '../farms/farms.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { denominationOf, tokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { isPrivateCredit, totalValue, vaultInterest } from '../vaults/vaults.ts';
import type { Value } from '../wallets/wallets.ts';
import { reserveRewardsUsd } from './reserve-rewards.ts';

/** A campaign on a vault, with its current APY. */
export interface VaultReward {
  readonly campaign: VaultCampaign;
  /** Null when the reward has no price or the vault no known value. */
  readonly apy: Rational | null;
  readonly calculatedAt: Date;
}

export interface LendingReward {
  readonly campaign: LendingCampaign;
  readonly apy: Rational | null;
  /** USD value that it is paid on; null for a pair and when a price is unknown. */
  readonly activePositionsUsd: Rational | null;
  readonly calculatedAt: Date;
}

const calculatedAt = (view: View) => new Date(Number(view.moment.timestamp) * 1000);

/** Running campaigns on vaults, of the given or the current source. */
export function vaultRewards(view: View, source: string | null | undefined): VaultReward[] {
  return vaultCampaigns(view, source).map((campaign) => {
    const vault = view.get('vault', campaign.vault);
    const value = (vault && totalValue(view, vault)?.usd) ?? null;
    return { campaign, apy: campaignApy(view, campaign, value), calculatedAt: calculatedAt(view) };
  });
}

/** Running campaigns on reserves, of the given or the current source. */
export function lendingRewards(view: View, source: string | null | undefined): LendingReward[] {
  return lendingCampaigns(view, source).map((campaign) => {
    const activePositionsUsd = campaignValueUsd(view, campaign);
    const apy = campaignApy(view, campaign, activePositionsUsd);
    return { campaign, apy, activePositionsUsd, calculatedAt: calculatedAt(view) };
  });
}

/** Running campaigns of the current source that a position in this reserve and one in another earn together. */
export function pairRewards(view: View, { address }: ReserveRecord): LendingReward[] {
  return lendingRewards(view, null).filter(
    ({ campaign: { depositReserve, borrowReserve } }) =>
      depositReserve !== null &&
      borrowReserve !== null &&
      (depositReserve === address || borrowReserve === address),
  );
}

export type EarnKind = 'DEFAULT' | 'PRIVATE_CREDIT';

/** Earnings of vaults since their creation: interest and farm rewards at current prices. */
export interface EarnSummary {
  readonly interest: Value;
  /** Paid by the vaults' farms. */
  readonly rewards: Value;
  /** Paid by campaigns on reserves, at the prices of each day; both null without history. */
  readonly reserveRewards: Value;
  /** Omits unknown parts. */
  readonly total: Value;
}

/**
 * Earnings of all vaults, or of those that lend to private credit.
 *
 * @throws HISTORY_UNAVAILABLE
 */
export async function earnSummary(
  platform: Platform,
  session: Session,
  kind: EarnKind,
): Promise<EarnSummary> {
  const { view } = session;
  const vaults = [...view.all('vault').values()].filter(
    ({ address }) => kind === 'DEFAULT' || isPrivateCredit(view, address),
  );
  const interest = knownSum(vaults.map((vault) => vaultInterest(view, vault).earned));
  const rewards = knownSum(
    vaults.flatMap((vault) => {
      const farm = farmAt(view, vault.value.vaultFarm);
      return farm === undefined
        ? []
        : farmRewards(farm.value).map(({ info }) =>
            tokenAmount(
              view,
              denominationOf(view, info.token.mint, info.token.decimals),
              info.rewardsIssuedCumulative,
            ),
          );
    }),
  );
  const onReserves = await reserveRewardsUsd(
    platform,
    session,
    kind,
    vaults.map(({ address }) => address),
  );
  const usd = roundParts([interest, rewards, onReserves ?? ZERO] as const);
  const { solPriceUsd } = Valuation.of(view);
  const sol = solPriceUsd && roundParts(usd.map((part) => inSol(part, solPriceUsd) ?? ZERO));
  const part = (i: number): Value => ({ usd: usd[i] ?? null, sol: sol?.[i] ?? null });
  return {
    interest: part(0),
    rewards: part(1),
    reserveRewards: onReserves === null ? { usd: null, sol: null } : part(2),
    total: { usd: sum(usd), sol: sol && sum(sol) },
  };
}

/** Sums the known values; amounts without a price are omitted. */
function knownSum(amounts: readonly { readonly usd: Rational | null }[]): Rational {
  return sum(amounts.flatMap(({ usd }) => (usd === null ? [] : [usd])));
}
