import { NO_ADDRESS } from '@sluice/protocol/program-ids';
import type { Shape } from '../contract/field-shapes.ts';
import { ALL_TIME, comparedRanges, inRanges, wrongRange } from './date-ranges.ts';
import { seasons } from './earn.ts';
import type { Text } from './graph-values.ts';
import type { NullRule } from './null-rule.ts';
import type { OperationRow } from './operation-row.ts';
import { badRequest } from './refusals.ts';

export const LENDING_REWARD: Shape = {
  fields: {
    depositReserve: { nullable: 'address' },
    borrowReserve: { nullable: 'address' },
    market: 'address',
    rewardToken: 'address',
    lastCalculated: 'date',
    apy: 'decimal',
    tokensPerSecond: 'decimal',
    activePositionsUsd: 'decimal',
  },
};

const REWARD_POINT: Shape = {
  fields: {
    timestamp: 'date',
    depositReserve: { nullable: 'address' },
    borrowReserve: { nullable: 'address' },
    rewardToken: 'address',
    rewardApy: 'decimal',
  },
};

const WALLET_REWARDS: Shape = {
  fields: {
    avgBaseApy: 'decimal',
    avgBoostedApy: 'decimal',
    avgMaxApy: 'decimal',
    rewards: {
      list: {
        fields: {
          depositReserve: { nullable: 'address' },
          borrowReserve: { nullable: 'address' },
          market: 'address',
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
      },
    },
  },
};

export interface GraphCampaign {
  readonly depositReserve: { readonly address: string } | null;
  readonly borrowReserve: { readonly address: string } | null;
  readonly market: { readonly address: string };
  readonly token: { readonly mint: string };
  readonly calculatedAt: string;
  readonly apy: string | null;
  readonly tokensPerSecond: string;
  readonly activePositionsUsd: string | null;
}

export const LENDING_REWARD_FIELDS = `depositReserve { address } borrowReserve { address } market { address } token { mint }
  calculatedAt apy tokensPerSecond activePositionsUsd`;

const CAMPAIGNS = `query ($source: String) { lendingRewards(source: $source) { ${LENDING_REWARD_FIELDS} } }`;

export const restCampaign = (reward: GraphCampaign, rule: NullRule) => ({
  depositReserve: reward.depositReserve?.address ?? null,
  borrowReserve: reward.borrowReserve?.address ?? null,
  market: reward.market.address,
  rewardToken: reward.token.mint,
  lastCalculated: reward.calculatedAt,
  apy: rule.decimal(reward.apy),
  tokensPerSecond: reward.tokensPerSecond,
  activePositionsUsd: rule.decimal(reward.activePositionsUsd),
});

interface GraphPoint {
  readonly timestamp: string;
  readonly depositReserve: { readonly address: string } | null;
  readonly borrowReserve: { readonly address: string } | null;
  readonly token: { readonly mint: string };
  readonly apy: Text;
}

interface GraphReward {
  readonly campaign: {
    readonly depositReserve: { readonly address: string } | null;
    readonly borrowReserve: { readonly address: string } | null;
    readonly market: { readonly address: string };
    readonly calculatedAt: string;
  };
  readonly token: { readonly mint: string };
  readonly earned: { readonly tokens: Text };
  readonly tokensPerSecond: Text;
  readonly stakingBoost: string;
  readonly apy: Text;
  readonly activePositionsUsd: Text;
}

const restReward = (reward: GraphReward, rule: NullRule) => ({
  depositReserve: reward.campaign.depositReserve?.address ?? null,
  borrowReserve: reward.campaign.borrowReserve?.address ?? null,
  market: reward.campaign.market.address,
  rewardMint: reward.token.mint,
  lastCalculated: reward.campaign.calculatedAt,
  tokensEarned: rule.decimal(reward.earned.tokens),
  tokensPerSecond: rule.decimal(reward.tokensPerSecond),
  stakingBoost: reward.stakingBoost,
  effectiveStakingBoost: reward.stakingBoost,
  baseApy: rule.decimal(reward.apy),
  boostedApy: rule.decimal(reward.apy),
  maxApy: rule.decimal(reward.apy),
  usdAmount: rule.decimal(reward.activePositionsUsd),
  usdAmountBoosted: rule.decimal(reward.activePositionsUsd),
});

const history = (deposit: string, borrow: string) => `/klend/${deposit}/${borrow}/rewards/history`;
const ofWallet = (wallet: string) => `/klend/users/${wallet}/rewards`;

export const LENDING_REWARD_ROWS: readonly OperationRow[] = [
  {
    method: 'get',
    path: '/klend/rewards',
    answer: { list: LENDING_REWARD },
    requests: () => seasons('/klend/rewards'),
    refusals: () => [],
    async twin(graph, variables, rule) {
      const { lendingRewards } = await graph<{ lendingRewards: GraphCampaign[] }>(CAMPAIGNS, variables);
      return lendingRewards.map((reward) => restCampaign(reward, rule));
    },
  },
  {
    method: 'get',
    path: history('{depositReservePubkey}', '{borrowReservePubkey}'),
    answer: { list: REWARD_POINT },
    requests: ({ reserves, addresses: { depositReserve, borrowReserve } }) => [
      ...inRanges(history(depositReserve, NO_ADDRESS), { deposit: depositReserve }),
      { url: `${history(depositReserve, NO_ADDRESS)}${ALL_TIME}` },
      // Of the first there is a reward for deposits, of the second one for debts, of the others none.
      ...reserves
        .slice(0, 4)
        .flatMap(({ address }) => [
          ...comparedRanges(history(address, NO_ADDRESS), { deposit: address }),
          ...comparedRanges(history(NO_ADDRESS, address), { borrow: address }),
          { url: `${history(address, NO_ADDRESS)}?frequency=day` },
          { url: `${history(NO_ADDRESS, address)}?frequency=day` },
        ]),
      { url: history(depositReserve, borrowReserve) },
      { url: history(NO_ADDRESS, NO_ADDRESS) },
    ],
    refusals: ({ addresses: { depositReserve } }) => [
      badRequest('no deposit reserve', history('nonsense', NO_ADDRESS), 'depositReservePubkey'),
      badRequest('no borrow reserve', history(NO_ADDRESS, 'nonsense'), 'borrowReservePubkey'),
      badRequest('frequency=minute', `${history(depositReserve, NO_ADDRESS)}?frequency=minute`, 'frequency'),
      ...wrongRange(history(depositReserve, NO_ADDRESS)),
    ],
    async twin(graph, variables, rule) {
      const { lendingRewardHistory } = await graph<{ lendingRewardHistory: readonly GraphPoint[] }>(
        `query ($deposit: Address, $borrow: Address, $range: TimeRange) {
          lendingRewardHistory(depositReserve: $deposit, borrowReserve: $borrow, range: $range) {
            timestamp depositReserve { address } borrowReserve { address } token { mint } apy
          }
        }`,
        variables,
      );
      const points = rule.priced(lendingRewardHistory, ({ apy }) => [apy]);
      return points.map(({ timestamp, depositReserve, borrowReserve, token, apy }) => ({
        timestamp,
        depositReserve: depositReserve?.address ?? null,
        borrowReserve: borrowReserve?.address ?? null,
        rewardToken: token.mint,
        rewardApy: apy,
      }));
    },
  },
  {
    method: 'get',
    path: ofWallet('{pubkey}'),
    answer: WALLET_REWARDS,
    requests: ({ wallets }) => [
      ...wallets.map((address) => ({ url: ofWallet(address), variables: { address } })),
      ...wallets
        .slice(0, 1)
        .flatMap((wallet) => [
          { url: `${ofWallet(wallet)}?source=Season1` },
          { url: `${ofWallet(wallet)}?source=nobody` },
        ]),
    ],
    refusals: ({ addresses: { wallet } }) => [
      badRequest('no address', ofWallet('nonsense'), 'pubkey'),
      badRequest('source twice', `${ofWallet(wallet)}?source=a&source=b`, 'source'),
    ],
    async twin(graph, variables, rule) {
      const { wallet } = await graph<{
        wallet: { lendingRewards: { averageApy: Text; rewards: readonly GraphReward[] } };
      }>(
        `query ($address: Address!) { wallet(address: $address) { lendingRewards { averageApy rewards {
          campaign { depositReserve { address } borrowReserve { address } market { address } calculatedAt }
          token { mint } earned { tokens } tokensPerSecond stakingBoost apy activePositionsUsd
        } } } }`,
        variables,
      );
      const { averageApy, rewards } = wallet.lendingRewards;
      const average = rewards.length === 0 ? '0' : rule.decimal(averageApy);
      return {
        avgBaseApy: average,
        avgBoostedApy: average,
        avgMaxApy: average,
        rewards: rewards.map((reward) => restReward(reward, rule)),
      };
    },
  },
];
