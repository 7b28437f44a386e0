import * as rewards from '../../services/rewards.ts';
import { builder } from '../builder.ts';
import {
  MarketRef,
  marketLink,
  ReserveRef,
  reserveLink,
  TokenRef,
  tokenLink,
  VaultRef,
  vaultLink,
} from '../node-refs.ts';
import { ValueRef } from './wallet.ts';

export const VaultRewardRef = builder.objectRef<rewards.VaultReward>('VaultReward').implement({
  description: 'A campaign that pays the holders of a vault\u2019s shares.',
  fields: (t) => ({
    vaultAddress: t.field({
      type: 'Address',
      nullable: false,
      description: 'Address of the vault.',
      resolve: ({ campaign }) => campaign.vault,
    }),
    vault: t.field({
      type: VaultRef,
      nullable: true,
      description: 'The vault. Null, with an error, when it cannot be read.',
      resolve: ({ campaign }, _args, { session }) => vaultLink(session, campaign.vault),
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ campaign }, _args, { session }) => tokenLink(session, campaign.rewardToken),
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yearly, a fraction, compounded daily. Null when the reward has no price or the vault no known value.',
    }),
    tokensPerSecond: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Whole tokens per second to all holders together.',
      resolve: ({ campaign }) => campaign.tokensPerSecond,
    }),
    calculatedAt: t.expose('calculatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Time of the View that the yield was computed on.',
    }),
    source: t.string({
      nullable: false,
      description: 'The points source that it belongs to.',
      resolve: ({ campaign }) => campaign.source,
    }),
  }),
});

export const LendingRewardRef = builder.objectRef<rewards.LendingReward>('LendingReward').implement({
  description: 'A campaign that pays those who supply to or borrow from a reserve, or do both.',
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
        'The reserve to supply to. Null when only borrowing counts; with an error when it cannot be read.',
      resolve: ({ campaign: { depositReserve } }, _args, { session }) =>
        depositReserve && reserveLink(session, depositReserve),
    }),
    borrowReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve to borrow from. Null when only supplying counts; with an error when it cannot be read.',
      resolve: ({ campaign: { borrowReserve } }, _args, { session }) =>
        borrowReserve && reserveLink(session, borrowReserve),
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description: 'The token that is paid. Null, with an error, when its mint cannot be read.',
      resolve: ({ campaign }, _args, { session }) => tokenLink(session, campaign.rewardToken),
    }),
    apy: t.expose('apy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Yearly, a fraction, compounded daily. Null when a price or the value that it is paid on is unknown.',
    }),
    tokensPerSecond: t.field({
      type: 'Decimal',
      nullable: false,
      description: 'Whole tokens per second to all together.',
      resolve: ({ campaign }) => campaign.tokensPerSecond,
    }),
    activePositionsUsd: t.expose('activePositionsUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD that it is paid on. Null for pairs of reserves, and when a price is unknown.',
    }),
    calculatedAt: t.expose('calculatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'Time of the View that the yield was computed on.',
    }),
    source: t.string({
      nullable: false,
      description: 'The points source that it belongs to.',
      resolve: ({ campaign }) => campaign.source,
    }),
  }),
});

const EarnKindRef = builder.enumType('EarnKind', {
  description: 'Which vaults a summary is about.',
  values: {
    DEFAULT: { description: 'All vaults.' },
    PRIVATE_CREDIT: { description: 'Vaults that lend to private credit.' },
  } as const,
});

const EarnSummaryRef = builder.objectRef<rewards.EarnSummary>('EarnSummary').implement({
  description:
    'What vaults have earned since they began; interest and farm rewards at today\u2019s prices. What has no price is left out.',
  fields: (t) => ({
    interest: t.expose('interest', {
      type: ValueRef,
      nullable: false,
      description: 'Interest, before fees.',
    }),
    rewards: t.expose('rewards', {
      type: ValueRef,
      nullable: false,
      description: 'Rewards of the vaults\u2019 farms.',
    }),
    reserveRewards: t.expose('reserveRewards', {
      type: ValueRef,
      nullable: false,
      description:
        'Rewards on the reserves behind them, added up over the recorded days: each day\u2019s mean yield from them times the vault\u2019s USD value / 365. Both values are null where no history is kept.',
    }),
    total: t.expose('total', {
      type: ValueRef,
      nullable: false,
      description: 'All together; what is unknown is left out.',
    }),
  }),
});

const source = 'Points source; the current one when left out. An unknown one has no rewards.';

builder.queryFields((t) => ({
  vaultRewards: t.field({
    type: [VaultRewardRef],
    nullable: false,
    description: 'Campaigns on vaults that run now.',
    args: { source: t.arg.string({ description: source }) },
    resolve: (_root, args, { session }) => rewards.vaultRewards(session.view, args.source),
  }),
  lendingRewards: t.field({
    type: [LendingRewardRef],
    nullable: false,
    description: 'Campaigns on reserves that run now.',
    args: { source: t.arg.string({ description: source }) },
    resolve: (_root, args, { session }) => rewards.lendingRewards(session.view, args.source),
  }),
  earnSummary: t.field({
    type: EarnSummaryRef,
    nullable: true,
    description:
      'What vaults have earned since they began. Null, with an error, when recorded history cannot be read now (HISTORY_UNAVAILABLE).',
    args: {
      kind: t.arg({
        type: EarnKindRef,
        defaultValue: 'DEFAULT',
        description: 'Which vaults.',
      }),
    },
    resolve: (_root, { kind }, { platform, session }) =>
      rewards.earnSummary(platform, session.view, kind ?? 'DEFAULT'),
  }),
}));
