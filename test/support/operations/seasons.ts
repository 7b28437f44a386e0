import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import { seasons } from './earn.ts';
import type { Text } from './graph-values.ts';
import type { Graph, OperationRequest, OperationRow, Variables } from './operation-row.ts';
import { badRequest } from './refusals.ts';
import type { Subjects } from './subjects.ts';

const VAULT_REWARD: Shape = {
  fields: {
    kvault: 'address',
    rewardMint: 'address',
    lastCalculated: 'date',
    tokensEarned: 'decimal',
    tokensPerSecond: 'decimal',
    stakingBoost: 'decimal',
    effectiveStakingBoost: 'decimal',
    baseApy: 'decimal',
    boostedApy: 'decimal',
    maxApy: 'decimal',
    usdAmount: 'decimal',
    usdAmountBoosted: 'decimal',
  },
};

interface GraphSeason {
  readonly source: string;
  readonly isCurrent: boolean;
  readonly airdrop: {
    readonly totalAllocation: string;
    readonly wallets: number;
    readonly claimsFrom: string;
  } | null;
  readonly forfeitedRewards: Text;
}

async function graphSeason(graph: Graph, { source }: Variables): Promise<GraphSeason | undefined> {
  const { seasons: all } = await graph<{ seasons: readonly GraphSeason[] }>(
    '{ seasons { source isCurrent airdrop { totalAllocation wallets claimsFrom } forfeitedRewards } }',
  );
  return all.find((each) => (source === undefined ? each.isCurrent : each.source === source));
}

/** A wallet with everything in the first season, and one with nothing. */
const ofWallets =
  (urlOf: (wallet: string) => string) =>
  ({ addresses: { wallet, emptyWallet } }: Subjects): OperationRequest[] => [
    ...seasons(urlOf(wallet)).map(({ url, variables }) => ({
      url,
      variables: { ...variables, address: wallet },
    })),
    { url: urlOf(emptyWallet), variables: { address: emptyWallet } },
  ];

const wrongWallet =
  (urlOf: (wallet: string) => string): OperationRow['refusals'] =>
  ({ addresses: { wallet } }) => [
    badRequest('no address', urlOf('nonsense'), 'pubkey'),
    badRequest('source twice', `${urlOf(wallet)}?source=a&source=b`, 'source'),
  ];

/** A read of a wallet, with its field in the graph. */
function walletRow(
  path: string,
  answer: Shape,
  field: string,
  restOf: (value: never, wallet: string) => unknown,
): OperationRow {
  const urlOf = (wallet: string) => path.replace('{pubkey}', wallet);
  return {
    method: 'get',
    path,
    answer,
    requests: ofWallets(urlOf),
    refusals: wrongWallet(urlOf),
    async twin(graph, { address, source }) {
      const { wallet } = await graph<{ wallet: { value: never } }>(
        `query ($address: Address!, $source: String) { wallet(address: $address) { value: ${field} } }`,
        { address, source },
      );
      return restOf(wallet.value, String(address));
    },
  };
}

const METRICS = '/v2/airdrop/metrics';
const POOL = '/season-rewards/final-vesting-pool';
const RATES = '/benchmark-rates/usd';
const VAULT_REWARDS = '/kvaults/users/{pubkey}/rewards';
const rewardsOf = (wallet: string) => VAULT_REWARDS.replace('{pubkey}', wallet);

interface GraphRate {
  readonly index: number;
  readonly hour: string;
  readonly trackedSupplyUsd: number;
  readonly averageRate: number;
  readonly elements: number;
  readonly includedProtocols: number;
}

interface GraphReward {
  readonly vaultAddress: string;
  readonly token: { readonly mint: string };
  readonly calculatedAt: string;
  readonly tokensEarned: Text;
  readonly tokensPerSecond: string;
  readonly stakingBoost: string;
  readonly apy: Text;
  readonly activePositionUsd: Text;
}

export const SEASON_ROWS: readonly OperationRow[] = [
  walletRow(
    '/v2/airdrop/users/{pubkey}/allocations',
    { list: { fields: { quantity: 'decimal', name: 'label' } } },
    'airdropAllocations(source: $source) { quantity name }',
    (allocations) => allocations,
  ),
  walletRow(
    '/users/{pubkey}/staking-boosts',
    { list: { fields: { boost: 'decimal', name: 'label', 'farm?': 'address' } } },
    'stakingBoosts(source: $source) { boost name farmAddress }',
    (boosts: readonly { boost: string; name: string; farmAddress: string | null }[]) =>
      boosts.map(({ farmAddress, ...boost }) => ({
        ...boost,
        ...(farmAddress === null ? {} : { farm: farmAddress }),
      })),
  ),
  {
    ...walletRow(
      '/season-rewards/users/{pubkey}',
      {
        fields: { wallet: 'address', totalRewards: { fields: { amount: 'decimal', tokenMint: 'address' } } },
      },
      '',
      () => null,
    ),
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{
        wallet: { seasonReward: { amount: Text; token: { mint: string } | null } };
      }>(
        `query ($address: Address!, $source: String) { wallet(address: $address) {
          seasonReward(source: $source) { amount token { mint } } } }`,
        variables,
      );
      const { amount, token } = wallet.seasonReward;
      return {
        wallet: variables.address,
        totalRewards: { amount: rule.decimal(amount), tokenMint: token?.mint ?? NO_ADDRESS },
      };
    },
  },
  {
    method: 'get',
    path: METRICS,
    answer: {
      list: { fields: { totalAllocation: 'decimal', totalUsers: 'integerString', claimDate: 'date' } },
    },
    requests: () => seasons(METRICS).filter(({ variables }) => variables.source !== 'nothing'),
    refusals: () => [
      {
        name: 'an unknown source',
        ask: { url: `${METRICS}?source=nothing` },
        status: 404,
        code: 'SEASON_NOT_FOUND',
      },
      badRequest('source twice', `${METRICS}?source=a&source=b`, 'source'),
    ],
    async twin(graph, variables) {
      const { airdrop = null } = (await graphSeason(graph, variables)) ?? {};
      return airdrop === null
        ? []
        : [
            {
              totalAllocation: airdrop.totalAllocation,
              totalUsers: String(airdrop.wallets),
              claimDate: airdrop.claimsFrom,
            },
          ];
    },
  },
  {
    method: 'get',
    path: POOL,
    answer: { fields: { totalForfeitedRewards: 'decimal' } },
    requests: () => seasons(POOL),
    refusals: () => [badRequest('source twice', `${POOL}?source=a&source=b`, 'source')],
    async twin(graph, variables, rule) {
      const season = await graphSeason(graph, variables);
      return { totalForfeitedRewards: rule.decimal(season?.forfeitedRewards) };
    },
  },
  {
    method: 'get',
    path: RATES,
    answer: {
      list: {
        fields: {
          index: 'integer',
          hour: 'date',
          tracked_supply: 'number',
          avg_rate: 'number',
          elements: 'integer',
          included_protocols: 'integer',
        },
      },
    },
    requests: () => [
      { url: RATES, variables: {} },
      { url: `${RATES}?frequency=hour`, variables: {} },
      { url: `${RATES}?frequency=day`, variables: { interval: 'DAY' } },
      {
        url: `${RATES}?start=2026-05-30&end=2026-05-31T06:00Z`,
        variables: { range: { start: '2026-05-30', end: '2026-05-31T06:00Z' } },
      },
      { url: `${RATES}?start=2020-01-01&end=2021-01-01` },
    ],
    refusals: () => [
      badRequest('minutes', `${RATES}?frequency=minute`, 'frequency'),
      badRequest('no date', `${RATES}?start=yesterday`, 'start'),
      badRequest('reversed', `${RATES}?start=2026-02-01&end=2026-01-01`, 'start'),
    ],
    async twin(graph, variables) {
      const { benchmarkRates } = await graph<{ benchmarkRates: readonly GraphRate[] }>(
        `query ($range: TimeRange, $interval: RewardInterval) {
          benchmarkRates(range: $range, interval: $interval) {
            index hour trackedSupplyUsd averageRate elements includedProtocols } }`,
        variables,
      );
      return benchmarkRates.map(({ trackedSupplyUsd, averageRate, includedProtocols, ...rate }) => ({
        ...rate,
        tracked_supply: trackedSupplyUsd,
        avg_rate: averageRate,
        included_protocols: includedProtocols,
      }));
    },
  },
  {
    method: 'get',
    path: VAULT_REWARDS,
    answer: {
      fields: {
        avgBaseApy: 'decimal',
        avgBoostedApy: 'decimal',
        avgMaxApy: 'decimal',
        rewards: { list: VAULT_REWARD },
      },
    },
    requests: (subjects) => [
      ...ofWallets(rewardsOf)(subjects),
      ...subjects.wallets.slice(2, 8).map((address) => ({ url: rewardsOf(address), variables: { address } })),
    ],
    refusals: wrongWallet(rewardsOf),
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{
        wallet: { vaultRewards: { averageApy: Text; rewards: readonly GraphReward[] } };
      }>(
        `query ($address: Address!, $source: String) { wallet(address: $address) {
          vaultRewards(source: $source) { averageApy rewards { vaultAddress token { mint } calculatedAt
            tokensEarned tokensPerSecond stakingBoost apy activePositionUsd } } } }`,
        variables,
      );
      const { averageApy, rewards } = wallet.vaultRewards;
      const average = rewards.length === 0 ? '0' : rule.decimal(averageApy);
      return {
        avgBaseApy: average,
        avgBoostedApy: average,
        avgMaxApy: average,
        rewards: rewards.map((reward) => ({
          kvault: reward.vaultAddress,
          rewardMint: reward.token.mint,
          lastCalculated: reward.calculatedAt,
          tokensEarned: rule.decimal(reward.tokensEarned),
          tokensPerSecond: reward.tokensPerSecond,
          stakingBoost: reward.stakingBoost,
          effectiveStakingBoost: reward.stakingBoost,
          baseApy: rule.decimal(reward.apy),
          boostedApy: rule.decimal(reward.apy),
          maxApy: rule.decimal(reward.apy),
          usdAmount: rule.decimal(reward.activePositionUsd),
          usdAmountBoosted: rule.decimal(reward.activePositionUsd),
        })),
      };
    },
  },
];
