import { earnedReward } from '../../services/obligations-over-time/earned-rewards.ts';
import {
  NEUTRAL_BOOST,
  type WalletLendingReward,
  type WalletLendingRewards,
  walletLendingRewards,
} from '../../services/obligations-over-time/wallet-rewards.ts';
import { builder } from '../builder.ts';
import { TokenRef, tokenLink, WalletRef } from '../node-refs.ts';
import { LendingRewardRef } from './rewards.ts';

const EarnedRewardRef = builder
  .objectRef<Awaited<ReturnType<typeof earnedReward>>>('EarnedReward')
  .implement({
    description: 'What a campaign has paid a wallet since it began.',
    fields: (t) => ({
      tokens: t.expose('tokens', {
        type: 'Decimal',
        nullable: true,
        description:
          'Whole tokens for the time that is known: the wallet\u2019s part of the recorded supply or debt of the reserve, times the pace of the campaign today. Null for a campaign on pairs of reserves.',
      }),
      complete: t.exposeBoolean('complete', {
        nullable: false,
        description: 'Whether all of the time is known in which the wallet had a position.',
      }),
    }),
  });

const WalletLendingRewardRef = builder.objectRef<WalletLendingReward>('WalletLendingReward').implement({
  description: 'A campaign that pays positions of a wallet.',
  fields: (t) => ({
    campaign: t.field({
      type: LendingRewardRef,
      nullable: false,
      description: 'The campaign, with what it pays to all together.',
      resolve: (reward) => reward,
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ campaign }, _args, { session }) => tokenLink(session, campaign.rewardToken),
    }),
    earned: t.field({
      type: EarnedRewardRef,
      nullable: true,
      description:
        'What it has paid the wallet so far. Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
      resolve: (reward, _args, { platform, session }) => earnedReward(platform, session, reward),
    }),
    tokensPerSecond: t.expose('walletTokensPerSecond', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole tokens per second that the wallet gets now. Null for a campaign on pairs of reserves, of which nobody knows all positions.',
    }),
    usdAmount: t.expose('earningUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'USD of the wallet\u2019s positions that earn it; of a pair, the deposits. Null when a price is unknown.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yearly, a fraction, compounded daily. Null when a price or the value that it is paid on is unknown.',
    }),
    stakingBoost: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'What staking multiplies the reward by: always 1, as the platform has no such boost.',
      resolve: () => NEUTRAL_BOOST,
    }),
  }),
});

const WalletLendingRewardsRef = builder.objectRef<WalletLendingRewards>('WalletLendingRewards').implement({
  description: 'What campaigns on reserves pay a wallet, by its positions as they are now.',
  fields: (t) => ({
    averageApy: t.expose('averageApy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Mean yield of the rewards, weighted by the value that earns each; a fraction. Null when there is none of which both are known.',
    }),
    rewards: t.field({
      type: [WalletLendingRewardRef],
      nullable: false,
      description: 'One per campaign that pays a position of the wallet.',
      resolve: ({ rewards }) => [...rewards],
    }),
  }),
});

builder.objectFields(WalletRef, (t) => ({
  lendingRewards: t.field({
    type: WalletLendingRewardsRef,
    nullable: true,
    description: 'Campaigns that pay its positions. Null, with an error, when they cannot be read.',
    args: {
      source: t.arg.string({
        description: 'Points source; the current one when left out. An unknown one has no rewards.',
      }),
    },
    resolve: ({ address }, { source }, { session }) => walletLendingRewards(session, address, source),
  }),
}));
