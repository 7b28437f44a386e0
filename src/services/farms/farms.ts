import { roundToPublished } from '@sluice/protocol/numeric/decimal';
import { type Rational, sum } from '@sluice/protocol/numeric/rational';
import { presentAddress } from '@sluice/protocol/program-ids';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { safeDate } from '../../domain/dates.ts';
import { rewardApy } from '../../domain/rates.ts';
import { rewardEndsAt } from '../../domain/reward-schedule.ts';
import { farmRewards, rewardApr, rewardPerSecond, totalStaked } from '../../domain/rewards.ts';
import type { FarmRecord } from '../request/records.ts';
import { denominationOf, type TokenAmount, tokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';

/** One token that a farm pays. */
export interface FarmReward {
  readonly mint: Address;
  /** Whole tokens for all stakers together. */
  readonly perSecond: Rational;
  /** Yearly, not compounded; null when the reward has no price or the stake no known value. */
  readonly apr: Rational | null;
  /** Null when it pays nothing from now on. */
  readonly endsAt: Date | null;
  /** Not yet paid out. */
  readonly available: TokenAmount;
}

/** The APY that one reward token adds. */
export interface RewardApy {
  readonly mint: Address;
  readonly apy: Rational;
  /** The farm that pays it; null for a campaign and for rewards of a reserve itself. Not recorded in history. */
  readonly farm?: Address | null;
  /** Whole tokens for all positions together. Not recorded in history. */
  readonly tokensPerSecond?: Rational;
}

/** A reward that is being paid. */
export type PaidRewardApy = Required<RewardApy>;

/** The rewards of a farm, relative to the value (USD) that earns them. */
export function rewardsOfFarm(view: View, farm: FarmRecord, earningUsd: Rational | null): FarmReward[] {
  const { moment } = view;
  return farmRewards(farm.value).map(({ info }) => {
    const { mint, decimals } = info.token;
    const perSecond = rewardPerSecond(farm.value, info, moment);
    const endsAt = rewardEndsAt(farm.value, info, moment);
    return {
      mint,
      perSecond,
      apr: aprOf(view, mint, perSecond, earningUsd),
      endsAt: endsAt === null ? null : safeDate(endsAt),
      available: tokenAmount(view, denominationOf(view, mint, decimals), info.rewardsAvailable),
    };
  });
}

function aprOf(view: View, mint: Address, perSecond: Rational, earningUsd: Rational | null): Rational | null {
  return rewardApr(perSecond, Valuation.of(view).tokenPrice(mint)?.usd ?? null, earningUsd);
}

/** APY of each reward of a farm, compounded daily. Omits rewards without a price. */
export function rewardApys(
  view: View,
  farm: FarmRecord | undefined,
  earningUsd: Rational | null,
): PaidRewardApy[] {
  if (farm === undefined) return [];
  return farmRewards(farm.value).flatMap(({ info }) => {
    const { mint } = info.token;
    const tokensPerSecond = rewardPerSecond(farm.value, info, view.moment);
    const apr = aprOf(view, mint, tokensPerSecond, earningUsd);
    if (apr === null || apr.isZero) return [];
    return [{ mint, apy: roundToPublished(rewardApy(apr)), farm: farm.address, tokensPerSecond }];
  });
}

export function totalRewardApy(rewards: readonly RewardApy[]): Rational {
  return sum(rewards.map(({ apy }) => apy));
}

/** Base units staked in a farm. */
export function stakedInFarm(farm: FarmRecord): Rational {
  return totalStaked(farm.value);
}

/** The farm at an address in the View; undefined for the null address and for a farm that could not be read. */
export function farmAt(view: View, address: Address): FarmRecord | undefined {
  const present = presentAddress(address);
  return present === null ? undefined : view.get('farm', present);
}
