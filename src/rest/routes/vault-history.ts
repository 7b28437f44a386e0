import { z } from '@hono/zod-openapi';
import type { RewardApy } from '../../services/farms.ts';
import {
  type VaultHistoryPoint as Point,
  type VaultHistoryFields,
  vaultHistory,
  YIELD_FIELDS,
} from '../../services/history/vault-history.ts';
import { LOOKUP_ERRORS } from '../error-shapes.ts';
import { operation } from '../operation.ts';
import { checkedRange } from '../schemas/date.ts';
import { decimal } from '../schemas/decimal.ts';
import { VaultHistoryPoint, VaultHistoryQuery } from '../schemas/vault-history.ts';
import { VaultParams } from '../schemas/vaults.ts';
import type { AnswerOf } from '../unknown.ts';

const paidIn = (rewards: readonly RewardApy[]) =>
  rewards.map(({ mint, apy }) => ({ tokenMint: mint, apy: decimal(apy) }));

/** The recorded columns of a row. */
const FIELDS: VaultHistoryFields = {
  vault: [
    'tvlUsd',
    'tvlSol',
    'sharePriceUsd',
    ...YIELD_FIELDS,
    'apyTheoretical',
    'interest',
    'interestUsd',
    'interestSol',
    'allocations',
    'rewards',
  ],
  reserve: ['supplyApy', 'rewards'],
};

const isPriced = ({ sample }: Point) => sample.tvlUsd !== null && sample.tvlSol !== null;

async function pointOf(point: Point): Promise<AnswerOf<typeof VaultHistoryPoint>> {
  const { sample } = point;
  const apy = point.apy();
  return {
    timestamp: sample.bucket.toISOString(),
    tvl: decimal(sample.tvlUsd),
    solTvl: decimal(sample.tvlSol),
    // Clients add the rewards to it.
    apy: decimal(sample.apyTheoretical),
    apyTheoretical: decimal(sample.apyTheoretical),
    apyActual: decimal(apy.base),
    apyFarmRewards: decimal(apy.farmRewards),
    apyReservesIncentives: decimal(apy.reserveRewards),
    apyIncentives: decimal(apy.incentives),
    sharePrice: decimal(sample.sharePriceUsd),
    interest: decimal(sample.interest),
    interestUsd: decimal(sample.interestUsd),
    interestSol: decimal(sample.interestSol),
    reserves: (await point.reserves()).map(({ reserve, ratio, supplyApy, rewardsApy, rewards }) => ({
      pubkey: reserve,
      supplyApy: decimal(supplyApy),
      rewardsApy: decimal(rewardsApy),
      allocationRatio: decimal(ratio),
      rewardTokens: paidIn(rewards),
    })),
    vaultRewards: paidIn(apy.rewards),
  };
}

export const VAULT_HISTORY = operation({
  id: 'getVaultMetricsHistory',
  method: 'get',
  path: '/kvaults/vaults/{pubkey}/metrics/history',
  tag: 'Vaults',
  summary: 'Historical metrics of an earn vault',
  description:
    'Points in ascending order of time. One per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour, including the current bucket. Yields are means over the bucket; other values are the last of the bucket. A bucket with an unknown price is omitted.',
  graph:
    'query { vault(address) { metricsHistory(range) { points { timestamp totalValueUsd totalValueSol apy { base farmRewards reserveRewards incentives rewards { token { mint } apy } } theoreticalBaseApy sharePriceUsd interest interestUsd interestSol reserves { reserveAddress supplyInterestApy rewardsApy share rewards { token { mint } apy } } } } } }',
  family: LOOKUP_ERRORS,
  holds: 'never',
  params: VaultParams,
  query: VaultHistoryQuery,
  response: z.array(VaultHistoryPoint),
  example: ({ vault }) => ({ params: { pubkey: vault } }),
  async answer({ session, platform }, { params, query }) {
    const asked = checkedRange(session, query);
    const { address } = await session.load('vault', params.pubkey);
    const resolution = { interval: null, maxPoints: null };
    const { points } = await vaultHistory(platform, session, address, asked, resolution, FIELDS);
    return await Promise.all(points.filter(isPriced).map(pointOf));
  },
});
