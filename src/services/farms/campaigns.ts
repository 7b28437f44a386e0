import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import type { LendingCampaign, VaultCampaign } from '../../config/catalogue/format.ts';
import { rewardApy } from '../../domain/rates.ts';
import { borrowedUsd, suppliedUsd } from '../../domain/reserve.ts';
import { rewardApr } from '../../domain/rewards.ts';
import { viewCache } from '../request/per-view.ts';
import { Valuation } from '../tokens/valuation.ts';
import type { PaidRewardApy } from './farms.ts';

/** Campaigns run off chain: the catalogue defines the payments, the View their value. */

interface Running {
  readonly source: string;
  readonly startsAt: Date;
  readonly endsAt: Date | null;
}

/** Campaigns of a source that run at the View's time. The current source by default; empty for an unknown one. */
function running<T extends Running>(
  view: View,
  campaigns: readonly T[],
  source: string | null | undefined,
): T[] {
  const wanted = source ?? Valuation.of(view).catalogue.currentSource;
  const now = Number(view.moment.timestamp) * 1000;
  return campaigns.filter(
    (each) =>
      each.source === wanted &&
      each.startsAt.getTime() <= now &&
      (each.endsAt === null || now < each.endsAt.getTime()),
  );
}

export function vaultCampaigns(view: View, source?: string | null): VaultCampaign[] {
  return running(view, Valuation.of(view).catalogue.vaultCampaigns, source);
}

export function lendingCampaigns(view: View, source?: string | null): LendingCampaign[] {
  return running(view, Valuation.of(view).catalogue.lendingCampaigns, source);
}

/** All sources of lending campaigns. */
export function lendingSources(view: View): string[] {
  return [...new Set(Valuation.of(view).catalogue.lendingCampaigns.map(({ source }) => source))];
}

/** The APY that a campaign adds to the value (USD) it is paid on. Null when a price or the value is unknown. */
export function campaignApy(
  view: View,
  { rewardToken, tokensPerSecond }: Pick<VaultCampaign, 'rewardToken' | 'tokensPerSecond'>,
  earningUsd: Rational | null,
): Rational | null {
  const price = Valuation.of(view).tokenPrice(rewardToken)?.usd ?? null;
  const apr = rewardApr(tokensPerSecond, price, earningUsd);
  return apr === null ? null : roundToPublished(rewardApy(apr));
}

/**
 * USD value that a lending campaign is paid on: the supply or the debt of its reserve. Null for a campaign on a pair,
 * because that needs a scan of all obligations, and when a price is unknown.
 */
export function campaignValueUsd(view: View, campaign: LendingCampaign): Rational | null {
  const { depositReserve, borrowReserve } = campaign;
  if (depositReserve !== null && borrowReserve !== null) return null;
  const priced = Valuation.of(view).priced((depositReserve ?? borrowReserve) as Address);
  if (priced === undefined || priced.priceUsd === null) return null;
  return depositReserve === null
    ? borrowedUsd(priced.accrued, priced.priceUsd)
    : suppliedUsd(priced.accrued, priced.priceUsd);
}

/** Cached, because every vault that invests in a reserve needs them. */
const apysByReserve = {
  deposit: viewCache<ReadonlyMap<Address, readonly PaidRewardApy[]>>(),
  borrow: viewCache<ReadonlyMap<Address, readonly PaidRewardApy[]>>(),
};
const NONE: readonly PaidRewardApy[] = [];

/** APYs that current campaigns add for suppliers or borrowers of a reserve, regardless of their other positions. */
export function campaignApysOfReserve(
  view: View,
  reserve: Address,
  side: 'deposit' | 'borrow',
): readonly PaidRewardApy[] {
  let ofView = apysByReserve[side].get(view);
  if (ofView === undefined) {
    ofView = computeCampaignApys(view, side);
    apysByReserve[side].set(view, ofView);
  }
  return ofView.get(reserve) ?? NONE;
}

/** The same when the supply or the debt of the reserve has the given value, in USD. Null when a price is unknown. */
export function campaignApysOn(
  view: View,
  reserve: Address,
  side: 'deposit' | 'borrow',
  earningUsd: Rational | null,
): PaidRewardApy[] {
  return lendingCampaigns(view)
    .filter((campaign) => sidesOf(campaign, side).own === reserve && sidesOf(campaign, side).other === null)
    .flatMap((campaign) => paid(campaign, campaignApy(view, campaign, earningUsd)));
}

/** Whether a campaign pays on deposits in the reserve alone. */
export const hasDepositCampaign = (view: View, reserve: Address): boolean =>
  lendingCampaigns(view).some(
    ({ depositReserve, borrowReserve }) => depositReserve === reserve && borrowReserve === null,
  );

/** The reserve that a campaign is paid on, on one side, and the one that it demands on the other. */
function sidesOf({ depositReserve, borrowReserve }: LendingCampaign, side: 'deposit' | 'borrow') {
  return side === 'deposit'
    ? { own: depositReserve, other: borrowReserve }
    : { own: borrowReserve, other: depositReserve };
}

/** By reserve. Excludes campaigns on pairs. */
function computeCampaignApys(view: View, side: 'deposit' | 'borrow'): Map<Address, PaidRewardApy[]> {
  const apys = new Map<Address, PaidRewardApy[]>();
  for (const campaign of lendingCampaigns(view)) {
    const { own: reserve, other } = sidesOf(campaign, side);
    if (reserve === null || other !== null) continue;
    const paidHere = paid(campaign, campaignApy(view, campaign, campaignValueUsd(view, campaign)));
    apys.set(reserve, [...(apys.get(reserve) ?? []), ...paidHere]);
  }
  return apys;
}

/** APYs that current campaigns add for a vault's shareholders. */
export function campaignApysOfVault(
  view: View,
  vault: Address,
  totalValueUsd: Rational | null,
): PaidRewardApy[] {
  return vaultCampaigns(view)
    .filter((campaign) => campaign.vault === vault)
    .flatMap((campaign) => paid(campaign, campaignApy(view, campaign, totalValueUsd)));
}

function paid(
  { rewardToken, tokensPerSecond }: Pick<VaultCampaign, 'rewardToken' | 'tokensPerSecond'>,
  apy: Rational | null,
): PaidRewardApy[] {
  return apy === null || apy.isZero ? [] : [{ mint: rewardToken, apy, farm: null, tokensPerSecond }];
}
