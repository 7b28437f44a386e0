import { z } from '@hono/zod-openapi';
import { type EarnKind, earnSummary, vaultRewards } from '../../services/rewards/rewards.ts';
import type { Value } from '../../services/wallets/wallets.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { decimal } from '../values/decimal.ts';
import { EarnSummary, RewardsQuery, SummaryQuery, VaultReward } from './vault-schemas.ts';

const KINDS = { default: 'DEFAULT', 'private-credit': 'PRIVATE_CREDIT' } as const satisfies Record<
  string,
  EarnKind
>;

const inBoth = ({ usd, sol }: Value) => ({ usd: decimal(usd), sol: decimal(sol) });

const common = { method: 'get', tag: 'Vaults', family: READ_ERRORS, holds: 'view' } as const;

export const VAULT_REWARD_OPERATIONS: readonly Operation[] = [
  operation({
    ...common,
    id: 'listVaultRewards',
    path: '/kvaults/rewards',
    summary: 'Active rewards for vault shareholders',
    description: 'Running reward campaigns of a points source for vaults.',
    graph: 'query { vaultRewards(source) { vaultAddress token { mint } apy tokensPerSecond calculatedAt } }',
    query: RewardsQuery,
    response: z.array(VaultReward),
    example: () => ({ query: { source: 'Season1' } }),
    answer: async ({ session }, { query }) =>
      vaultRewards(session.view, query.source).map(({ campaign, apy, calculatedAt }) => ({
        kvault: campaign.vault,
        rewardToken: campaign.rewardToken,
        lastCalculated: calculatedAt.toISOString(),
        apy: decimal(apy),
        tokensPerSecond: decimal(campaign.tokensPerSecond),
      })),
  }),
  operation({
    ...common,
    id: 'getEarnSummary',
    path: '/kvaults/summary',
    summary: 'Earnings of vaults since their creation',
    description:
      'Total interest and rewards in USD and SOL. Interest and farm rewards are valued at current prices; rewards on reserves are summed over the recorded days. Tokens without a price are omitted.',
    graph:
      'query { earnSummary(kind) { interest { usd sol } rewards { usd sol } reserveRewards { usd sol } total { usd sol } } }',
    query: SummaryQuery,
    response: EarnSummary,
    example: () => ({ query: { type: 'default' as const } }),
    async answer({ session, platform }, { query: { type = 'default' } }) {
      const { interest, rewards, reserveRewards, total } = await earnSummary(platform, session, KINDS[type]);
      return {
        earnings: {
          interest: inBoth(interest),
          rewards: inBoth(rewards),
          reserveRewards: inBoth(reserveRewards),
          total: inBoth(total),
        },
      };
    },
  }),
];
