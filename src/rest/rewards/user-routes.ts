import { earnedReward } from '../../services/rewards/earned-rewards.ts';
import {
  NEUTRAL_BOOST,
  type WalletLendingReward,
  walletLendingRewards,
} from '../../services/rewards/wallet-rewards.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Call, operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import { UserRewards, UserRewardsParams, UserRewardsQuery } from './user-schemas.ts';

type UserReward = AnswerOf<typeof UserRewards>['rewards'][number];

async function rewardOf({ platform, session }: Call, reward: WalletLendingReward): Promise<UserReward> {
  const { campaign, apy, earningUsd, walletTokensPerSecond, calculatedAt } = reward;
  const { tokens } = await earnedReward(platform, session, reward);
  return {
    depositReserve: campaign.depositReserve,
    borrowReserve: campaign.borrowReserve,
    market: campaign.market,
    rewardMint: campaign.rewardToken,
    lastCalculated: calculatedAt.toISOString(),
    tokensEarned: decimal(tokens),
    tokensPerSecond: decimal(walletTokensPerSecond),
    stakingBoost: decimal(NEUTRAL_BOOST),
    effectiveStakingBoost: decimal(NEUTRAL_BOOST),
    baseApy: decimal(apy),
    boostedApy: decimal(apy),
    maxApy: decimal(apy),
    usdAmount: decimal(earningUsd),
    usdAmountBoosted: decimal(earningUsd?.mul(NEUTRAL_BOOST)),
  };
}

export const USER_REWARDS = operation({
  id: 'listUserLendingRewards',
  method: 'get',
  path: '/klend/users/{pubkey}/rewards',
  tag: 'Lending',
  summary: 'Lending rewards of a user',
  description:
    'Campaigns of a points source that pay the current positions of the wallet, with the rewards paid so far. The platform has no reward boost, so all three yields are the same.',
  graph:
    'query { wallet(address) { lendingRewards(source) { averageApy rewards { campaign { depositReserve { address } borrowReserve { address } market { address } calculatedAt } token { mint } earned { tokens } tokensPerSecond stakingBoost apy activePositionsUsd } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params: UserRewardsParams,
  query: UserRewardsQuery,
  response: UserRewards,
  example: ({ wallet }) => ({ params: { pubkey: wallet }, query: { source: 'Season1' } }),
  async answer(call, { params, query }) {
    call.platform.historyFor(call.session, 'A user\u2019s earned rewards');
    const { rewards, averageApy } = await walletLendingRewards(call.session, params.pubkey, query.source);
    // Without a reward nothing is unknown: the mean of none is zero.
    const average = rewards.length === 0 ? '0' : decimal(averageApy);
    return {
      avgBaseApy: average,
      avgBoostedApy: average,
      avgMaxApy: average,
      rewards: await Promise.all(rewards.map((reward) => rewardOf(call, reward))),
    };
  },
});
