import * as rewards from '../../../services/rewards/rewards.ts';
import { builder } from '../../builder.ts';
import { MarketRef, marketLink, ReserveRef, reserveLink, VaultRef, vaultLink } from '../../node-refs.ts';
import { rewardToken } from '../values/reward-token.ts';
import { ValueRef } from '../wallet/wallet.ts';

export const VaultRewardRef = builder.objectRef<rewards.VaultReward>('VaultReward').implement({
  description: 'A reward campaign for shareholders of a vault.',
  fields: (t) => ({
    vaultAddress: t.field({
      type: 'Address',
      description: 'Address of the vault.',
      resolve: ({ campaign }) => campaign.vault,
    }),
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault. Null, with an error, when it cannot be read.',
      resolve: ({ campaign }, _args, { session }) => vaultLink(session, campaign.vault),
    }),
    token: rewardToken(t, ({ campaign }) => campaign.rewardToken),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year as a fraction, compounded daily. Null when the reward has no price or the value of the vault is unknown.',
    }),
    tokensPerSecond: t.field({
      type: 'Decimal',
      description: 'Whole tokens per second, paid to all shareholders together.',
      resolve: ({ campaign }) => campaign.tokensPerSecond,
    }),
    calculatedAt: t.expose('calculatedAt', {
      type: 'DateTime',
      description: 'Time of the View from which the yield was computed.',
    }),
    source: t.string({
      description: 'The points source of the campaign.',
      resolve: ({ campaign }) => campaign.source,
    }),
  }),
});

export const LendingRewardRef = builder.objectRef<rewards.LendingReward>('LendingReward').implement({
  description: 'A reward campaign for suppliers or borrowers of a reserve, or for positions that do both.',
  fields: (t) => ({
    market: t.field({
      type: MarketRef,
      nullable: true,
      description: 'The market. Null, with an error, when it cannot be read.',
      resolve: ({ campaign }, _args, { session }) => marketLink(session, campaign.market),
    }),
    depositReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to supply to. Null when only borrowing counts; null with an error when it cannot be read.',
      resolve: ({ campaign: { depositReserve } }, _args, { session }) =>
        depositReserve && reserveLink(session, depositReserve),
    }),
    borrowReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to borrow from. Null when only supplying counts; null with an error when it cannot be read.',
      resolve: ({ campaign: { borrowReserve } }, _args, { session }) =>
        borrowReserve && reserveLink(session, borrowReserve),
    }),
    token: rewardToken(t, ({ campaign }) => campaign.rewardToken),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yield per year as a fraction, compounded daily. Null when a price or the value of the eligible positions is unknown.',
    }),
    tokensPerSecond: t.field({
      type: 'Decimal',
      description: 'Whole tokens per second, paid to all eligible positions together.',
      resolve: ({ campaign }) => campaign.tokensPerSecond,
    }),
    activePositionsUsd: t.expose('activePositionsUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Value of the eligible positions in USD. Null for a pair of reserves, and when a price is unknown.',
    }),
    calculatedAt: t.expose('calculatedAt', {
      type: 'DateTime',
      description: 'Time of the View from which the yield was computed.',
    }),
    source: t.string({
      description: 'The points source of the campaign.',
      resolve: ({ campaign }) => campaign.source,
    }),
  }),
});

const EarnKindRef = builder.enumType('EarnKind', {
  description: 'The vaults that a summary covers.',
  values: {
    DEFAULT: { description: 'All vaults.' },
    PRIVATE_CREDIT: { description: 'Vaults that lend to private credit.' },
  } as const,
});

const EarnSummaryRef = builder.objectRef<rewards.EarnSummary>('EarnSummary').implement({
  description:
    'Earnings of vaults since their creation. Interest and farm rewards are valued at current prices; tokens without a price are omitted.',
  fields: (t) => ({
    interest: t.expose('interest', { type: ValueRef, description: 'Interest earned, before fees.' }),
    rewards: t.expose('rewards', { type: ValueRef, description: 'Rewards of the vaults\u2019 farms.' }),
    reserveRewards: t.expose('reserveRewards', {
      type: ValueRef,
      description:
        'Rewards on the reserves that the vaults allocate to, summed over the recorded days: the mean reward yield of each day times the USD value of the vault / 365. Both values are null when this deployment records no history.',
    }),
    total: t.expose('total', { type: ValueRef, description: 'Sum of the known parts.' }),
  }),
});

const source =
  'Points source of the campaigns. Defaults to the current one. An unknown source has no rewards.';

builder.queryFields((t) => ({
  vaultRewards: t.field({
    type: [VaultRewardRef],
    description: 'Reward campaigns of vaults that are running now.',
    args: { source: t.arg.string({ description: source }) },
    resolve: (_root, args, { session }) => rewards.vaultRewards(session.view, args.source),
  }),
  lendingRewards: t.field({
    type: [LendingRewardRef],
    description: 'Reward campaigns of reserves that are running now.',
    args: { source: t.arg.string({ description: source }) },
    resolve: (_root, args, { session }) => rewards.lendingRewards(session.view, args.source),
  }),
  earnSummary: t.field({
    type: EarnSummaryRef,
    nullable: true,
    description:
      'Earnings of vaults since their creation. Null, with an error, when history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: {
      kind: t.arg({
        type: EarnKindRef,
        defaultValue: 'DEFAULT',
        description: 'Vaults to include.',
      }),
    },
    resolve: (_root, { kind }, { platform, session }) =>
      rewards.earnSummary(platform, session, kind ?? 'DEFAULT'),
  }),
}));
