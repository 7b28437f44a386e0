import type { Address } from '@solana/kit';
import { ratio, total } from '../../domain/arithmetic.ts';
import type { BorrowPosition, DepositPosition } from '../../domain/obligation.ts';
import { ONE, type Rational } from '../../numeric/rational.ts';
import type { LendingCampaign } from '../../store/catalogue/format.ts';
import { type ValuedObligation, valueObligation } from '../obligations.ts';
import type { Session } from '../records.ts';
import { type LendingReward, lendingRewards } from '../rewards.ts';
import { Valuation } from '../valuation.ts';
import { obligationsOf } from '../wallets.ts';

/** What staking multiplies rewards by: no program of the platform boosts anything, so every reward is as it is. */
export const NEUTRAL_BOOST = ONE;

/** What a campaign pays a wallet now. */
export interface WalletLendingReward extends LendingReward {
  readonly wallet: Address;
  /** Whole tokens per second for the wallet's part; null for pairs, of which nobody knows all positions. */
  readonly walletTokensPerSecond: Rational | null;
  /** USD of the wallet's positions that earn it; null when a price is unknown. */
  readonly earningUsd: Rational | null;
}

export interface WalletLendingRewards {
  readonly rewards: readonly WalletLendingReward[];
  /** Weighted by the value that earns each; null when there is none of which both are known. */
  readonly averageApy: Rational | null;
}

/** Campaigns of a source, or of the current one, that pay the wallet's positions as they are now. */
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
  const weighed = rewards.flatMap(({ apy, earningUsd }) =>
    apy === null || earningUsd === null ? [] : [{ apy, earningUsd }],
  );
  const value = total(weighed.map(({ earningUsd }) => earningUsd));
  return {
    rewards,
    averageApy: value.isZero
      ? null
      : ratio(total(weighed.map(({ apy, earningUsd }) => apy.mul(earningUsd))), value),
  };
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
    earningUsd: sumKnown(earning.map(({ valueUsd }) => valueUsd)),
  };
}

type Position = DepositPosition | BorrowPosition;

/** Of a pair the deposits count, in obligations that have the debt as well. */
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

/** The wallet's part of everything that is supplied to, or borrowed from, the campaign's reserve; a fraction. */
function shareNow(
  { view }: Session,
  { depositReserve, borrowReserve }: LendingCampaign,
  earning: readonly Position[],
): Rational | null {
  if (depositReserve !== null && borrowReserve !== null) return null;
  const reserve = depositReserve ?? borrowReserve;
  const accrued = reserve === null ? undefined : Valuation.of(view).priced(reserve)?.accrued;
  const own = sumKnown(earning.map(({ amount }) => amount));
  if (accrued === undefined || own === null) return null;
  return ratio(own, depositReserve === null ? accrued.borrowed : accrued.totalSupply);
}

function sumKnown(values: readonly (Rational | null)[]): Rational | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? total(known) : null;
}
