import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { LendingCampaign } from '../../config/catalogue/format.ts';
import { ratio, total, totalIfKnown } from '../../domain/arithmetic.ts';
import type { BorrowPosition, DepositPosition } from '../../domain/obligation.ts';
import { type ValuedObligation, valueObligation } from '../obligations/obligations.ts';
import { obligationsOf } from '../obligations/wallet-obligations.ts';
import type { Session } from '../request/session.ts';
import { Valuation } from '../tokens/valuation.ts';
import { type LendingReward, lendingRewards } from './rewards.ts';

/** Reward multiplier of the REST contract. No program of the platform boosts rewards, so it is always 1. */
export const NEUTRAL_BOOST = ONE;

/** Current payments of a campaign to a wallet. */
export interface WalletLendingReward extends LendingReward {
  readonly wallet: Address;
  /** Whole tokens per second for the wallet; null for a campaign on a pair, whose total is unknown. */
  readonly walletTokensPerSecond: Rational | null;
  /** USD value of the wallet's earning positions; null when a price is unknown. */
  readonly earningUsd: Rational | null;
}

export interface WalletLendingRewards {
  readonly rewards: readonly WalletLendingReward[];
  /** Weighted by earning value; null when no reward has both a known APY and a known value. */
  readonly averageApy: Rational | null;
}

/** Campaigns of a source (by default the current one) that pay the wallet's current positions. */
export async function walletLendingRewards(
  session: Session,
  wallet: Address,
  source: string | null | undefined,
): Promise<WalletLendingRewards> {
  const campaigns = lendingRewards(session.view, source);
  if (campaigns.length === 0) return { rewards: [], averageApy: null };
  const found = await obligationsOf(session, wallet, null);
  const obligations = found.map((record) => valueObligation(session, record));
  const rewards = campaigns.flatMap((reward) => walletReward(session, wallet, reward, obligations) ?? []);
  return { rewards, averageApy: averageApy(rewards) };
}

/** Mean APY, weighted by earning value. Null when no reward has both a known APY and a known value. */
export function averageApy(
  rewards: readonly { readonly apy: Rational | null; readonly earningUsd: Rational | null }[],
): Rational | null {
  const weighted = rewards.flatMap(({ apy, earningUsd }) =>
    apy === null || earningUsd === null ? [] : [{ apy, earningUsd }],
  );
  const value = total(weighted.map(({ earningUsd }) => earningUsd));
  if (value.isZero) return null;
  return ratio(total(weighted.map(({ apy, earningUsd }) => apy.mul(earningUsd))), value);
}

/** Null when no position of the wallet earns it. */
function walletReward(
  session: Session,
  wallet: Address,
  reward: LendingReward,
  obligations: readonly ValuedObligation[],
): WalletLendingReward | null {
  const { campaign } = reward;
  const earning = earningPositions(campaign, obligations);
  if (earning.length === 0) return null;
  return {
    ...reward,
    wallet,
    walletTokensPerSecond: shareNow(session, campaign, earning)?.mul(campaign.tokensPerSecond) ?? null,
    earningUsd: totalIfKnown(earning.map(({ valueUsd }) => valueUsd)),
  };
}

type Position = DepositPosition | BorrowPosition;

/** For a pair, the deposits of obligations that also have the debt. */
function earningPositions(
  { market, depositReserve, borrowReserve }: LendingCampaign,
  obligations: readonly ValuedObligation[],
): Position[] {
  return obligations
    .filter(({ record }) => record.value.lendingMarket === market)
    .flatMap(({ positions }): Position[] => {
      const deposits = positions?.deposits.filter(({ reserve }) => reserve === depositReserve) ?? [];
      const borrows = positions?.borrows.filter(({ reserve }) => reserve === borrowReserve) ?? [];
      if (depositReserve === null) return borrows;
      return borrowReserve === null || borrows.length > 0 ? deposits : [];
    });
}

/** The wallet's fraction of the campaign reserve's total supply or debt. */
function shareNow(
  { view }: Session,
  { depositReserve, borrowReserve }: LendingCampaign,
  earning: readonly Position[],
): Rational | null {
  if (depositReserve !== null && borrowReserve !== null) return null;
  const reserve = depositReserve ?? borrowReserve;
  const accrued = reserve === null ? undefined : Valuation.of(view).priced(reserve)?.accrued;
  const own = totalIfKnown(earning.map(({ amount }) => amount));
  if (accrued === undefined || own === null) return null;
  return ratio(own, depositReserve === null ? accrued.borrowed : accrued.totalSupply);
}
