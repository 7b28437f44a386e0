import { z } from '@hono/zod-openapi';
import type { Address } from '@solana/kit';
import type { RewardApy } from '../../services/farms/farms.ts';
import {
  type VaultHistoryPoint as Point,
  type VaultHistoryFields,
  vaultHistory,
  YIELD_FIELDS,
} from '../../services/history/vault-history.ts';
import type { RangeInput } from '../../services/request/time-range.ts';
import { LOOKUP_ERRORS } from '../operation/error-shapes.ts';
import { type Call, operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { inclusiveRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import {
  VaultHistories,
  VaultHistoriesQuery,
  VaultHistoryPoint,
  VaultHistoryQuery,
} from './history-schemas.ts';
import { VaultParams } from './schemas.ts';

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

async function historyOf({ platform, session }: Call, vault: Address, asked: RangeInput) {
  const request = { range: asked, resolution: { interval: null, maxPoints: null } };
  const { points } = await vaultHistory(platform, session, vault, request, FIELDS);
  return await Promise.all(points.filter(isPriced).map(pointOf));
}

export const VAULT_HISTORY = operation({
  id: 'getVaultMetricsHistory',
  method: 'get',
  path: '/kvaults/vaults/{pubkey}/metrics/history',
  tag: 'Vaults',
  summary: 'Historical metrics of an earn vault',
  description:
    'Points in ascending order of time. One per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour, including the current bucket and the one that starts at `end`. Yields are means over the bucket; other values are the last of the bucket. A bucket with an unknown price is omitted.',
  graph:
    'query { vault(address) { metricsHistory(range) { points { timestamp totalValueUsd totalValueSol apy { base farmRewards reserveRewards incentives rewards { token { mint } apy } } theoreticalBaseApy sharePriceUsd interest interestUsd interestSol reserves { reserveAddress supplyInterestApy rewardsApy share rewards { token { mint } apy } } } } } }',
  family: LOOKUP_ERRORS,
  holds: 'never',
  params: VaultParams,
  query: VaultHistoryQuery,
  response: z.array(VaultHistoryPoint),
  example: ({ vault }) => ({ params: { pubkey: vault } }),
  async answer(call, { params, query }) {
    const asked = inclusiveRange(call.session, query);
    const { address } = await call.session.load('vault', params.pubkey);
    return await historyOf(call, address, asked);
  },
});

export const VAULT_HISTORIES = operation({
  id: 'listVaultMetricsHistories',
  method: 'get',
  path: '/kvaults/vaults/metrics/history',
  tag: 'Vaults',
  summary: 'Historical metrics of several earn vaults',
  description:
    'For each vault, in the order of `vaults`, the same points as in the history of that vault alone. A vault that is named twice is in the answer once. It costs as much as the single histories.',
  graph:
    'query { vaults(filter: { addresses }) { nodes { address metricsHistory(range) { points { timestamp totalValueUsd totalValueSol apy { base farmRewards reserveRewards incentives rewards { token { mint } apy } } theoreticalBaseApy sharePriceUsd interest interestUsd interestSol reserves { reserveAddress supplyInterestApy rewardsApy share rewards { token { mint } apy } } } } } } }',
  family: LOOKUP_ERRORS,
  holds: 'never',
  query: VaultHistoriesQuery,
  response: z.array(VaultHistories),
  example: ({ vault }) => ({ query: { vaults: [vault] } }),
  async answer(call, { query }) {
    const { session } = call;
    const asked = inclusiveRange(session, query);
    const found = await Promise.all([...new Set(query.vaults)].map((each) => session.load('vault', each)));
    return await Promise.all(
      found.map(async ({ address }) => ({ kvault: address, history: await historyOf(call, address, asked) })),
    );
  },
});
