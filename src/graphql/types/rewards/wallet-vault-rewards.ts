import { NEUTRAL_BOOST } from '../../../services/rewards/wallet-rewards.ts';
import {
  type WalletVaultReward,
  type WalletVaultRewards,
  walletVaultRewards,
} from '../../../services/rewards/wallet-vault-rewards.ts';
import { builder } from '../../builder.ts';
import { VaultRef, vaultLink, WalletRef } from '../../node-refs.ts';
import { rewardToken } from '../values/reward-token.ts';

const WalletVaultRewardRef = builder.objectRef<WalletVaultReward>('WalletVaultReward').implement({
  description: 'A reward for the shares of a vault that a wallet holds or held.',
  fields: (t) => ({
    vaultAddress: t.expose('vault', { type: 'Address', description: 'Address of the vault.' }),
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault. Null, with an error, when it cannot be read.',
      resolve: ({ vault }, _args, { session }) => vaultLink(session, vault),
    }),
    token: rewardToken(t, (reward) => reward.rewardToken),
    tokensEarned: t.expose('tokensEarned', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole tokens earned so far, from a file that the operator has imported. Null when no figure was imported.',
    }),
    tokensPerSecond: t.expose('walletTokensPerSecond', {
      type: 'Decimal',
      description:
        'Whole tokens per second that the wallet currently receives: its part of the shares times the rate of the campaign. 0 when no campaign runs.',
    }),
    activePositionUsd: t.expose('earningUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Value in USD of the shares that a campaign pays. 0 when no campaign runs. Null when a price is unknown.',
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year as a fraction, compounded daily. 0 when no campaign runs. Null when a price or the value of the vault is unknown.',
    }),
    stakingBoost: t.field({
      type: 'Decimal',
      description:
        'Factor by which staking multiplies the reward: always 1, because the platform has no such boost.',
      resolve: () => NEUTRAL_BOOST,
    }),
    calculatedAt: t.expose('calculatedAt', {
      type: 'DateTime',
      description: 'Time of the View from which the yield was computed.',
    }),
  }),
});

const WalletVaultRewardsRef = builder.objectRef<WalletVaultRewards>('WalletVaultRewards').implement({
  description: 'Rewards of a season for the shares of vaults that a wallet holds or held.',
  fields: (t) => ({
    averageApy: t.expose('averageApy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Mean yield of the rewards as a fraction, weighted by the value of the shares. Null when no reward has both values.',
    }),
    rewards: t.expose('rewards', {
      type: [WalletVaultRewardRef],
      description:
        'One entry per running campaign that pays shares of the wallet, and one per vault in which it earned before. Ordered by address of the vault.',
    }),
  }),
});

builder.objectField(WalletRef, 'vaultRewards', (t) =>
  t.field({
    type: WalletVaultRewardsRef,
    nullable: true,
    description:
      'Rewards of a season for the vault shares of the wallet: campaigns of the catalogue that pay it now, and what it has earned so far according to a file that the operator has imported. Null, with an error, when they cannot be read.',
    args: {
      source: t.arg.string({
        description:
          'Points source of the campaigns. Defaults to the current one. An unknown source has no rewards.',
      }),
    },
    resolve: ({ address }, { source }, { platform, session }) =>
      walletVaultRewards(platform, session, address, source),
  }),
);
