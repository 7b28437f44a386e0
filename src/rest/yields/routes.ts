import { z } from '@hono/zod-openapi';
import type { Rational } from '@sluice/protocol/numeric/rational';
import { reserveHistory } from '../../services/history/reserve-history.ts';
import type { StakingThen } from '../../services/history/staking-past.ts';
import { stakingYields, type StakingYield as Yield } from '../../services/history/staking-yields.ts';
import { yieldRangeProblem, yieldsOfSource } from '../../services/history/yield-history.ts';
import { principalTokens } from '../../services/tokens/principal-tokens.ts';
import { READ_ERRORS } from '../operation/error-shapes.ts';
import { InvalidInput } from '../operation/invalid-input.ts';
import { type Operation, operation } from '../operation/operation.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import {
  BorrowAndStakingParams,
  BorrowAndStakingPoint,
  BorrowAndStakingQuery,
  PrincipalTokenYield,
  StakingYield,
  YieldHistoryParams,
  YieldHistoryQuery,
  YieldPoint,
} from './schemas.ts';

const common = { method: 'get', tag: 'Yields', family: READ_ERRORS } as const;
const LEFT_OUT = 'A token is omitted until its stake rate has been recorded in two consecutive epochs.';

/** A list of all liquid-staking tokens with one of their yields. */
function stakingYieldList(
  row: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'graph'>,
  apyOf: (of: Yield) => Rational,
): Operation {
  return operation({
    ...common,
    ...row,
    holds: 'view',
    response: z.array(StakingYield),
    example: () => ({}),
    async answer({ platform, session }) {
      const yields = await stakingYields(platform, session);
      return [...yields.values()].map((each) => ({ apy: decimal(apyOf(each)), tokenMint: each.mint }));
    },
  });
}

const HISTORY =
  'Points in ascending order of time. One per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour, including the current bucket.';

/** Borrow and staking yields of a reserve over time, with one of the two staking yields of each bucket. */
function borrowAndStakingHistory(
  row: Pick<Operation, 'id' | 'path' | 'summary' | 'description' | 'graph'>,
  apyOf: (then: StakingThen) => Rational,
): Operation {
  return operation({
    ...common,
    ...row,
    tag: 'Reserves',
    holds: 'never',
    params: BorrowAndStakingParams,
    query: BorrowAndStakingQuery,
    response: z.array(BorrowAndStakingPoint),
    example: ({ market, stakedReserve }) => ({
      params: { marketPubkey: market, reservePubkey: stakedReserve },
    }),
    async answer({ platform, session }, { params: { marketPubkey, reservePubkey }, query }) {
      platform.requireCluster(query.env);
      const asked = checkedRange(session, query);
      const resolution = { interval: null, maxPoints: null };
      const fields = ['borrowApy', 'slot', 'config'] as const;
      const { points } = await reserveHistory(
        platform,
        session,
        reservePubkey,
        { range: asked, resolution },
        fields,
      );
      const inMarket = points.filter(({ sample }) => sample.config.market === marketPubkey);
      const rows = await Promise.all(
        inMarket.map(async (point) => {
          const then = await point.staking();
          return (
            then && {
              createdOn: point.sample.bucket.toISOString(),
              borrowInterestApy: decimal(point.sample.borrowApy),
              stakingApy: decimal(apyOf(then)),
            }
          );
        }),
      );
      return rows.filter((each) => each !== null);
    },
  });
}

const STAKED_ONLY =
  'Empty when the token of the reserve is not a liquid-staking token, and when the reserve belongs to another market. A bucket whose staking yield is unknown is omitted.';

/** Yields of liquid-staking tokens and of farm rewards. */
export const YIELD_OPERATIONS: readonly Operation[] = [
  stakingYieldList(
    {
      id: 'listStakingYields',
      path: '/v2/staking-yields',
      summary: 'Yields of liquid-staking tokens',
      description: `Yield of each liquid-staking token in the last completed epoch, from its recorded stake rate, ordered by mint. ${LEFT_OUT}`,
      graph: 'query { tokens { nodes { mint stakingYield { latest { apy } } } } }',
    },
    ({ latest }) => latest.apy,
  ),
  stakingYieldList(
    {
      id: 'listMedianStakingYields',
      path: '/v2/staking-yields/median',
      summary: 'Median yields of liquid-staking tokens',
      description: `Median yield of each liquid-staking token over the last ten completed epochs, ordered by mint. ${LEFT_OUT}`,
      graph: 'query { tokens { nodes { mint stakingYield { medianApy } } } }',
    },
    ({ medianApy }) => medianApy,
  ),
  stakingYieldList(
    {
      id: 'listMeanStakingYields',
      path: '/v2/staking-yields/mean',
      summary: 'Mean yields of liquid-staking tokens',
      description: `Mean yield of each liquid-staking token over the last ten completed epochs, ordered by mint. ${LEFT_OUT}`,
      graph: 'query { tokens { nodes { mint stakingYield { meanApy } } } }',
    },
    ({ meanApy }) => meanApy,
  ),
  operation({
    ...common,
    id: 'listPrincipalTokenYields',
    path: '/yields/principal-tokens',
    summary: 'Fixed yields of principal tokens',
    description:
      'Yield of each principal token until its maturity, ordered by mint. The tokens, their maturities and, where the chain has none, their prices come from the catalogue of this deployment; empty when it lists none. A token is omitted after its maturity and without a price.',
    graph: 'query { principalTokens { tokenMint apy } }',
    holds: 'view',
    response: z.array(PrincipalTokenYield),
    example: () => ({}),
    async answer({ session }) {
      return principalTokens(session.view).flatMap(({ mint, apy }) =>
        apy === null ? [] : [{ apy: decimal(apy), tokenMint: mint }],
      );
    },
  }),
  operation({
    ...common,
    id: 'getYieldHistory',
    path: '/yields/{source}/history',
    summary: 'Historical yield of a token or a farm reward',
    description: `${HISTORY} For a liquid-staking token, the yield of the last epoch completed by then; for a reward of a farm, what it added for suppliers or stakers. The range is at most 366 days; \`start\` defaults to 366 days before \`end\`. A bucket with an unknown yield is omitted. Empty for an unknown source.`,
    graph:
      'query { token(mint) { yieldHistory(range) { points { timestamp apr apy } } } vault(address) { farm { yieldHistory(rewardMint range) { points { timestamp apr apy } } } } }',
    holds: 'never',
    params: YieldHistoryParams,
    query: YieldHistoryQuery,
    response: z.array(YieldPoint),
    example: ({ stakedMint }) => ({ params: { source: stakedMint } }),
    async answer({ platform, session }, { params: { source }, query: { start, end } }) {
      const problem = yieldRangeProblem(session.view, { start, end });
      if (problem !== null) throw new InvalidInput([{ code: 'custom', path: ['start'], message: problem }]);
      const points = await yieldsOfSource(platform, session, source, { start, end });
      return points.map(({ bucket, apr, apy }) => ({
        createdOn: bucket.toISOString(),
        apr: decimal(apr),
        apy: decimal(apy),
      }));
    },
  }),
  borrowAndStakingHistory(
    {
      id: 'getBorrowAndStakingApysHistory',
      path: '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history',
      summary: 'Historical borrow and staking APYs of a reserve',
      description: `${HISTORY} The staking yield is that of the last epoch completed by then. ${STAKED_ONLY}`,
      graph:
        'query { reserve(address) { metricsHistory(range) { points { timestamp borrowInterestApy stakingApy config { marketAddress } } } } }',
    },
    ({ latest }) => latest.apy,
  ),
  borrowAndStakingHistory(
    {
      id: 'getMedianBorrowAndStakingApysHistory',
      path: '/svc-market/{marketPubkey}/reserves/{reservePubkey}/borrow-and-staking-apys/history/median',
      summary: 'Historical borrow and median staking APYs of a reserve',
      description: `${HISTORY} The staking yield is the median of the last ten epochs completed by then; the borrow APY is that of the bucket. ${STAKED_ONLY}`,
      graph:
        'query { reserve(address) { metricsHistory(range) { points { timestamp borrowInterestApy medianStakingApy config { marketAddress } } } } }',
    },
    ({ medianApy }) => medianApy,
  ),
];
