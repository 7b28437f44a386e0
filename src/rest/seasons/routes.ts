import { z } from '@hono/zod-openapi';
import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import { SluiceError } from '../../errors/sluice-error.ts';
import {
  airdropOf,
  allocationsOf,
  benchmarkRates,
  seasonOf,
  seasonRewardOf,
  stakingBoostsOf,
} from '../../services/rewards/seasons.ts';
import { LOOKUP_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { type ExampleAddresses, type Operation, operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import {
  AirdropAllocation,
  AirdropMetrics,
  BenchmarkRate,
  BenchmarkRatesQuery,
  FinalVestingPool,
  SeasonQuery,
  SeasonUserReward,
  StakingBoost,
  WalletParams,
} from './schemas.ts';

const IMPORTED =
  'This is not on the chain: it comes from a file that the operator of this deployment imports (`SEASONS_FILE`)';

const SHOWN_LENGTH = 80;

const common = { method: 'get', tag: 'Seasons', family: READ_ERRORS, holds: 'view' } as const;

const ofWallet = {
  ...common,
  params: WalletParams,
  query: SeasonQuery,
  example: ({ wallet }: ExampleAddresses) => ({ params: { pubkey: wallet } }),
} as const;

export const SEASON_OPERATIONS: readonly Operation[] = [
  operation({
    ...ofWallet,
    id: 'listAirdropAllocations',
    path: '/v2/airdrop/users/{pubkey}/allocations',
    summary: 'Airdrop allocations of a user',
    description: `Parts of the airdrop of a season that are allocated to the wallet. ${IMPORTED}; without it, and for an unknown source, the list is empty.`,
    graph: 'query { wallet(address) { airdropAllocations(source) { quantity name } } }',
    response: z.array(AirdropAllocation),
    async answer({ platform }, { params, query }) {
      return allocationsOf(seasonOf(platform, query.source), params.pubkey).map(({ name, quantity }) => ({
        quantity: decimal(quantity),
        name,
      }));
    },
  }),
  operation({
    ...common,
    id: 'listAirdropMetrics',
    path: '/v2/airdrop/metrics',
    family: LOOKUP_ERRORS,
    summary: 'Totals of an airdrop',
    description: `Totals of the airdrop of a season. ${IMPORTED}; without it the list is empty. 404 for a source that was not imported or that has no airdrop.`,
    graph: 'query { seasons { source isCurrent airdrop { totalAllocation wallets claimsFrom } } }',
    query: SeasonQuery,
    response: z.array(AirdropMetrics),
    example: () => ({}),
    async answer({ platform }, { query: { source } }) {
      const season = seasonOf(platform, source);
      const airdrop = season && airdropOf(season);
      if (airdrop === null) {
        if (source === undefined) return [];
        throw new SluiceError('SEASON_NOT_FOUND', { source: source.slice(0, SHOWN_LENGTH) });
      }
      const { totalAllocation, wallets, claimsFrom } = airdrop;
      return [
        {
          totalAllocation: decimal(totalAllocation),
          totalUsers: String(wallets),
          claimDate: claimsFrom.toISOString(),
        },
      ];
    },
  }),
  operation({
    ...ofWallet,
    id: 'listStakingBoosts',
    path: '/users/{pubkey}/staking-boosts',
    summary: 'Staking boosts of a user',
    description: `Increases of the rewards of the wallet for what it has staked. ${IMPORTED}; without it, and for an unknown source, the list is empty. The stake itself is on the chain, the formula of the boost is not published.`,
    graph: 'query { wallet(address) { stakingBoosts(source) { boost name farmAddress } } }',
    response: z.array(StakingBoost),
    async answer({ platform }, { params, query }) {
      return stakingBoostsOf(seasonOf(platform, query.source), params.pubkey).map(
        ({ boost, name, farm }) => ({
          boost: decimal(boost),
          name,
          ...(farm === null ? {} : { farm }),
        }),
      );
    },
  }),
  operation({
    ...ofWallet,
    id: 'getSeasonUserReward',
    path: '/season-rewards/users/{pubkey}',
    summary: 'Season reward of a user',
    description: `The reward of the wallet in a season, for lending and vaults together. ${IMPORTED}; without it the amount is unknown.`,
    graph: 'query { wallet(address) { seasonReward(source) { amount token { mint } } } }',
    response: SeasonUserReward,
    async answer({ platform }, { params: { pubkey }, query }) {
      const { amount, rewardToken } = seasonRewardOf(seasonOf(platform, query.source), pubkey);
      return {
        wallet: pubkey,
        totalRewards: { amount: decimal(amount), tokenMint: rewardToken ?? NO_ADDRESS },
      };
    },
  }),
  operation({
    ...common,
    id: 'getFinalVestingPool',
    path: '/season-rewards/final-vesting-pool',
    summary: 'Forfeited rewards of a season',
    description: `Rewards that wallets have forfeited by an early claim. ${IMPORTED}; without it the amount is unknown.`,
    graph: 'query { seasons { source isCurrent forfeitedRewards } }',
    query: SeasonQuery,
    response: FinalVestingPool,
    example: () => ({}),
    async answer({ platform }, { query }) {
      return { totalForfeitedRewards: decimal(seasonOf(platform, query.source)?.forfeitedRewards) };
    },
  }),
  operation({
    ...common,
    id: 'listBenchmarkRates',
    path: '/benchmark-rates/usd',
    summary: 'Benchmark lending rates of dollar tokens',
    description: `Rates averaged over several protocols, in ascending order of time. ${IMPORTED}; without it the list is empty. A range with more than 20,000 rates is rejected.`,
    graph:
      'query { benchmarkRates(range interval) { index hour trackedSupplyUsd averageRate elements includedProtocols } }',
    query: BenchmarkRatesQuery,
    response: z.array(BenchmarkRate),
    example: () => ({ query: { frequency: 'day' as const } }),
    async answer({ platform, session }, { query: { frequency, ...asked } }) {
      const interval = frequency === 'day' ? 'DAY' : 'HOUR';
      const rates = await benchmarkRates(platform, session, checkedRange(session, asked), interval);
      return rates.map(({ index, hour, trackedSupplyUsd, averageRate, elements, includedProtocols }) => ({
        index,
        hour: hour.toISOString(),
        tracked_supply: trackedSupplyUsd,
        avg_rate: averageRate,
        elements,
        included_protocols: includedProtocols,
      }));
    },
  }),
];
