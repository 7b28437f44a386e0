import { z } from '@hono/zod-openapi';
import { lendingRewards } from '../../services/rewards.ts';
import { READ_ERRORS } from '../error-shapes.ts';
import { operation } from '../operation.ts';
import { decimal } from '../schemas/decimal.ts';
import { LendingReward } from '../schemas/lending-rewards.ts';
import { onceText } from '../schemas/query.ts';

export const LENDING_REWARDS = operation({
  id: 'listLendingRewards',
  method: 'get',
  path: '/klend/rewards',
  tag: 'Lending',
  summary: 'Rewards for lending that are paid now',
  description: 'Campaigns of a points source that run now, with what each adds to the yield.',
  graph:
    'query { lendingRewards(source) { depositReserve { address } borrowReserve { address } market { address } token { mint } calculatedAt apy tokensPerSecond activePositionsUsd } }',
  family: READ_ERRORS,
  holds: 'view',
  query: z.object({
    source: onceText(
      'Points source, such as `Season1`; without it, the current one. An unknown one has none.',
    ),
  }),
  response: z.array(LendingReward),
  example: () => ({ query: { source: 'Season1' } }),
  async answer({ session }, { query }) {
    return lendingRewards(session.view, query.source).map(
      ({ campaign, apy, activePositionsUsd, calculatedAt }) => ({
        depositReserve: campaign.depositReserve,
        borrowReserve: campaign.borrowReserve,
        market: campaign.market,
        rewardToken: campaign.rewardToken,
        lastCalculated: calculatedAt.toISOString(),
        apy: decimal(apy),
        tokensPerSecond: decimal(campaign.tokensPerSecond),
        activePositionsUsd: decimal(activePositionsUsd),
      }),
    );
  },
});
