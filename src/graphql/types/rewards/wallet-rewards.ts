import { earnedReward } from '../../../services/rewards/earned-rewards.ts';
import {
  NEUTRAL_BOOST,
  type WalletLendingReward,
  type WalletLendingRewards,
  walletLendingRewards,
} from '../../../services/rewards/wallet-rewards.ts';
import { builder } from '../../builder.ts';
import { WalletRef } from '../../node-refs.ts';
import { rewardToken } from '../values/reward-token.ts';
import { LendingRewardRef } from './rewards.ts';

const EarnedRewardRef = builder
  .objectRef<Awaited<ReturnType<typeof earnedReward>>>('EarnedReward')
  .implement({
    description: 'Rewards that a campaign has paid to a wallet since the campaign started.',
    fields: (t) => ({
      tokens: t.expose('tokens', {
        type: 'Decimal',
        nullable: true,
        description:
          'Whole tokens earned in the recorded time: the wallet\u2019s part of the recorded supply or debt of the reserve, times the current rate of the campaign. Null for a campaign on a pair of reserves.',
      }),
      complete: t.exposeBoolean('complete', {
        description: 'Whether the recorded time covers the whole life of the wallet\u2019s position.',
      }),
    }),
  });

const WalletLendingRewardRef = builder.objectRef<WalletLendingReward>('WalletLendingReward').implement({
  description: 'A reward campaign that pays the positions of a wallet.',
  fields: (t) => ({
    campaign: t.field({
      type: LendingRewardRef,
      description: 'The campaign, with its totals over all positions.',
      resolve: (reward) => reward,
    }),
    token: rewardToken(t, ({ campaign }) => campaign.rewardToken),
    earned: t.field({
      type: EarnedRewardRef,
      nullable: true,
      description:
        'Rewards paid to the wallet so far. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
      resolve: (reward, _args, { platform, session }) => earnedReward(platform, session, reward),
    }),
    tokensPerSecond: t.expose('walletTokensPerSecond', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole tokens per second that the wallet currently receives. Null for a campaign on a pair of reserves, because the total of its positions is unknown.',
    }),
    activePositionsUsd: t.expose('earningUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Value in USD of the wallet\u2019s eligible positions; for a pair of reserves, of the deposits. Null when a price is unknown.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year as a fraction, compounded daily. Null when a price or the value of the eligible positions is unknown.',
    }),
    stakingBoost: t.field({
      type: 'Decimal',
      description:
        'Factor by which staking multiplies the reward: always 1, because the platform has no such boost.',
      resolve: () => NEUTRAL_BOOST,
    }),
  }),
});

const WalletLendingRewardsRef = builder.objectRef<WalletLendingRewards>('WalletLendingRewards').implement({
  description: 'Reward campaigns of reserves that pay a wallet, for its current positions.',
  fields: (t) => ({
    averageApy: t.expose('averageApy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Mean yield of the rewards as a fraction, weighted by the value of the eligible positions. Null when no reward has both values.',
    }),
    rewards: t.expose('rewards', {
      type: [WalletLendingRewardRef],
      description: 'One entry per campaign that pays a position of the wallet.',
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  lendingRewards: t.field({
    type: WalletLendingRewardsRef,
    nullable: true,
    description:
      'Reward campaigns that pay the positions of the wallet. Null, with an error, when they cannot be read.',
    args: {
      source: t.arg.string({
        description:
          'Points source of the campaigns. Defaults to the current one. An unknown source has no rewards.',
      }),
    },
    resolve: ({ address }, { source }, { session }) => walletLendingRewards(session, address, source),
  }),
}));
