import * as seasons from '../../../services/rewards/seasons.ts';
import { builder } from '../../builder.ts';
import { TokenRef, tokenLink, WalletRef } from '../../node-refs.ts';
import { RewardIntervalRef, TimeRangeInput } from '../history/time.ts';
import { rewardToken } from '../values/reward-token.ts';

const IMPORTED =
  'From a file that the operator of this deployment has imported, because it is not on the chain.';

const SOURCE = 'Points source of the season. Defaults to the current one.';

const AirdropTotalsRef = builder.objectRef<seasons.AirdropTotals>('AirdropTotals').implement({
  description: 'Totals of an airdrop.',
  fields: (t) => ({
    totalAllocation: t.expose('totalAllocation', {
      type: 'Decimal',
      description: 'Sum of all allocations, in whole tokens.',
    }),
    wallets: t.exposeInt('wallets', { description: 'Number of wallets with an allocation.' }),
    claimsFrom: t.expose('claimsFrom', {
      type: 'DateTime',
      description: 'Time from which allocations can be claimed.',
    }),
  }),
});

const SeasonRef = builder.objectRef<seasons.Season>('Season').implement({
  description: `A season of rewards. ${IMPORTED}`,
  fields: (t) => ({
    source: t.exposeString('source', { description: 'Points source of the season.' }),
    isCurrent: t.boolean({
      description: 'Whether it is the season that fields use when no source is given.',
      resolve: ({ source }, _args, { platform }) => source === seasons.currentSource(platform),
    }),
    token: rewardToken(t, (season) => season.rewardToken),
    airdrop: t.field({
      type: AirdropTotalsRef,
      nullable: true,
      description: 'Totals of its airdrop. Null while no time for claims is set.',
      resolve: (season) => seasons.airdropOf(season),
    }),
    forfeitedRewards: t.expose('forfeitedRewards', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole reward tokens that wallets have forfeited by an early claim. Null when no figure was imported.',
    }),
  }),
});

const AllocationRef = builder.objectRef<seasons.Allocation>('AirdropAllocation').implement({
  description: 'A part of an airdrop that is allocated to a wallet.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Reason of the allocation, such as `main`.' }),
    quantity: t.expose('quantity', { type: 'Decimal', description: 'Whole tokens.' }),
  }),
});

const StakingBoostRef = builder.objectRef<seasons.StakingBoost>('StakingBoost').implement({
  description: 'An increase of the rewards of a wallet for what it has staked.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the boost.' }),
    boost: t.expose('boost', {
      type: 'Decimal',
      description: 'Increase as a fraction of the rewards: 0.3 is 30 %.',
    }),
    farmAddress: t.expose('farm', {
      type: 'Address',
      nullable: true,
      description: 'Address of the farm with the stake. Null when the file names none.',
    }),
  }),
});

const SeasonRewardRef = builder.objectRef<seasons.SeasonReward>('SeasonReward').implement({
  description: 'The reward of a wallet in a season, for lending and for vaults together.',
  fields: (t) => ({
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: true,
      description:
        'Whole reward tokens; 0 for a wallet without a reward. Null when the rewards of the season were not imported.',
    }),
    token: t.field({
      type: TokenRef,
      nullable: true,
      description:
        'The reward token. Null when the season was not imported; null with an error when its mint cannot be read.',
      resolve: ({ rewardToken: mint }, _args, { session }) => mint && tokenLink(session, mint),
    }),
  }),
});

const BenchmarkRateRef = builder.objectRef<seasons.IndexedRate>('BenchmarkRate').implement({
  description: `A lending rate of dollar tokens, averaged over several protocols. ${IMPORTED}`,
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position among all imported rates, counted from 0.' }),
    hour: t.expose('hour', { type: 'DateTime', description: 'Start of the hour.' }),
    averageRate: t.exposeFloat('averageRate', { description: 'Average rate per year, as imported.' }),
    trackedSupplyUsd: t.exposeFloat('trackedSupplyUsd', { description: 'Supply that it covers, in USD.' }),
    elements: t.exposeInt('elements', { description: 'Number of markets that it is made of.' }),
    includedProtocols: t.exposeInt('includedProtocols', { description: 'Number of protocols.' }),
  }),
});

builder.queryFields((t) => ({
  seasons: t.field({
    type: [SeasonRef],
    description: 'Seasons of rewards that the operator has imported, oldest first.',
    resolve: (_root, _args, { platform }) => [...platform.seasons.seasons],
  }),
  benchmarkRates: t.field({
    type: [BenchmarkRateRef],
    description: `Benchmark rates in ascending order of time; empty when none were imported. More than ${seasons.MAX_RATES} in the range are rejected.`,
    args: {
      range: t.arg({ type: TimeRangeInput, description: 'Time range. Defaults to everything imported.' }),
      interval: t.arg({
        type: RewardIntervalRef,
        defaultValue: 'HOUR',
        description: 'Every hour, or the last one of each UTC day.',
      }),
    },
    resolve: async (_root, { range, interval }, { platform, session }) => [
      ...(await seasons.benchmarkRates(platform, session, range ?? {}, interval ?? 'HOUR')),
    ],
  }),
}));

builder.objectFields(WalletRef, (t) => ({
  airdropAllocations: t.field({
    type: [AllocationRef],
    description: `Parts of the airdrop of a season that are allocated to the wallet. Empty for a wallet or a season without any. ${IMPORTED}`,
    args: { source: t.arg.string({ description: SOURCE }) },
    resolve: ({ address }, { source }, { platform }) => [
      ...seasons.allocationsOf(seasons.seasonOf(platform, source), address),
    ],
  }),
  stakingBoosts: t.field({
    type: [StakingBoostRef],
    description: `Increases of the rewards of the wallet for what it has staked. Empty for a wallet or a season without any. ${IMPORTED}`,
    args: { source: t.arg.string({ description: SOURCE }) },
    resolve: ({ address }, { source }, { platform }) => [
      ...seasons.stakingBoostsOf(seasons.seasonOf(platform, source), address),
    ],
  }),
  seasonReward: t.field({
    type: SeasonRewardRef,
    description: `The reward of the wallet in a season. ${IMPORTED}`,
    args: { source: t.arg.string({ description: SOURCE }) },
    resolve: ({ address }, { source }, { platform }) =>
      seasons.seasonRewardOf(seasons.seasonOf(platform, source), address),
  }),
}));
