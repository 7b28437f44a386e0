import { NEUTRAL_BOOST } from '../../services/rewards/wallet-rewards.ts';
import { walletVaultRewards } from '../../services/rewards/wallet-vault-rewards.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { UserRewardsParams, UserRewardsQuery } from './user-schemas.ts';
import { UserVaultRewards } from './vault-user-schemas.ts';

export const USER_VAULT_REWARDS = operation({
  id: 'listUserVaultRewards',
  method: 'get',
  path: '/kvaults/users/{pubkey}/rewards',
  tag: 'Vault users',
  summary: 'Season rewards of a user by vault',
  description:
    'Campaigns of a points source that pay the shares of the wallet now, from the catalogue of this deployment, and vaults in which it has earned before. What it has earned is not on the chain: it comes from a file that the operator imports (`SEASONS_FILE`), and is unknown without one. The platform has no reward boost, so all three yields are the same.',
  graph:
    'query { wallet(address) { vaultRewards(source) { averageApy rewards { vaultAddress token { mint } calculatedAt tokensEarned tokensPerSecond stakingBoost apy activePositionUsd } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params: UserRewardsParams,
  query: UserRewardsQuery,
  response: UserVaultRewards,
  example: ({ wallet }) => ({ params: { pubkey: wallet }, query: { source: 'Season1' } }),
  async answer({ platform, session }, { params, query }) {
    const { rewards, averageApy } = await walletVaultRewards(platform, session, params.pubkey, query.source);
    // Without a reward nothing is unknown: the mean of none is zero.
    const average = rewards.length === 0 ? '0' : decimal(averageApy);
    return {
      avgBaseApy: average,
      avgBoostedApy: average,
      avgMaxApy: average,
      rewards: rewards.map(
        ({ vault, rewardToken, calculatedAt, tokensEarned, apy, earningUsd, ...reward }) => ({
          kvault: vault,
          rewardMint: rewardToken,
          lastCalculated: calculatedAt.toISOString(),
          tokensEarned: decimal(tokensEarned),
          tokensPerSecond: decimal(reward.walletTokensPerSecond),
          stakingBoost: decimal(NEUTRAL_BOOST),
          effectiveStakingBoost: decimal(NEUTRAL_BOOST),
          baseApy: decimal(apy),
          boostedApy: decimal(apy),
          maxApy: decimal(apy),
          usdAmount: decimal(earningUsd),
          usdAmountBoosted: decimal(earningUsd?.mul(NEUTRAL_BOOST)),
        }),
      ),
    };
  },
});
