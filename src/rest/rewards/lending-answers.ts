import type { LendingReward as Reward } from '../../services/rewards/rewards.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { LendingReward } from './lending-schemas.ts';

export function lendingRewardAnswer({
  campaign,
  apy,
  activePositionsUsd,
  calculatedAt,
}: Reward): AnswerOf<typeof LendingReward> {
  return {
    depositReserve: campaign.depositReserve,
    borrowReserve: campaign.borrowReserve,
    market: campaign.market,
    rewardToken: campaign.rewardToken,
    lastCalculated: calculatedAt.toISOString(),
    apy: decimal(apy),
    tokensPerSecond: decimal(campaign.tokensPerSecond),
    activePositionsUsd: decimal(activePositionsUsd),
  };
}
