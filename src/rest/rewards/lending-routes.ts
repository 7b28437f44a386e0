import { z } from '@hono/zod-openapi';
import { NO_ADDRESS, presentAddress } from '@sluice/protocol/program-ids';
import { lendingRewardHistory } from '../../services/history/reward-history.ts';
import { lendingRewards } from '../../services/rewards/rewards.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import { onceText } from '../values/query-values.ts';
import { lendingRewardAnswer } from './lending-answers.ts';
import {
  LendingReward,
  LendingRewardPoint,
  RewardHistoryParams,
  RewardHistoryQuery,
} from './lending-schemas.ts';

export const LENDING_REWARDS = operation({
  id: 'listLendingRewards',
  method: 'get',
  path: '/klend/rewards',
  tag: 'Lending',
  summary: 'Active rewards for lending',
  description: 'Running reward campaigns of a points source, with the yield of each.',
  graph:
    'query { lendingRewards(source) { depositReserve { address } borrowReserve { address } market { address } token { mint } calculatedAt apy tokensPerSecond activePositionsUsd } }',
  family: READ_ERRORS,
  holds: 'view',
  query: z.object({
    source: onceText(
      'Points source of the campaigns, for example `Season1`. Defaults to the current one. An unknown source has no rewards.',
    ),
  }),
  response: z.array(LendingReward),
  example: () => ({ query: { source: 'Season1' } }),
  async answer({ session }, { query }) {
    return lendingRewards(session.view, query.source).map(lendingRewardAnswer);
  },
});

const INTERVALS = { hour: 'HOUR', day: 'DAY' } as const;

export const LENDING_REWARD_HISTORY = operation({
  id: 'listLendingRewardHistory',
  method: 'get',
  path: '/klend/{depositReservePubkey}/{borrowReservePubkey}/rewards/history',
  tag: 'Lending',
  summary: 'Reward history of a pair of deposit and borrow reserves',
  description:
    'Campaigns on exactly this pair, in ascending order of time, one entry per bucket and reward token, including the current bucket. A bucket with an unknown price is omitted.',
  graph:
    'query { lendingRewardHistory(depositReserve borrowReserve range interval) { timestamp depositReserve { address } borrowReserve { address } token { mint } apy } }',
  family: READ_ERRORS,
  holds: 'never',
  params: RewardHistoryParams,
  query: RewardHistoryQuery,
  response: z.array(LendingRewardPoint),
  example: ({ depositReserve }) => ({
    params: { depositReservePubkey: depositReserve, borrowReservePubkey: NO_ADDRESS },
    query: { frequency: 'day' as const },
  }),
  async answer({ session, platform }, { params, query }) {
    const asked = checkedRange(session, query);
    const pair = {
      depositReserve: presentAddress(params.depositReservePubkey),
      borrowReserve: presentAddress(params.borrowReservePubkey),
    };
    const interval = INTERVALS[query.frequency ?? 'hour'];
    const points = await lendingRewardHistory(platform, session, pair, asked, interval);
    return points
      .filter(({ apy }) => apy !== null)
      .map(({ bucket, depositReserve, borrowReserve, rewardMint, apy }) => ({
        timestamp: bucket.toISOString(),
        depositReserve,
        borrowReserve,
        rewardToken: rewardMint,
        rewardApy: decimal(apy),
      }));
  },
});
