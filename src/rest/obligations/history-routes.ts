import { SluiceError } from '../../errors/sluice-error.ts';
import { tagOf } from '../../services/history/obligations/closed-tag.ts';
import {
  type ObligationPoint,
  obligationHistory,
  type PointPosition,
} from '../../services/history/obligations/history.ts';
import { obligationPnl } from '../../services/history/obligations/pnl.ts';
import { timelineInMarket } from '../../services/history/obligations/timeline.ts';
import { ONLY_500_ERRORS, READ_ERRORS } from '../operation/error-shapes.ts';
import { operation } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { checkedRange } from '../values/date.ts';
import { decimal } from '../values/decimal.ts';
import {
  ObligationHistory,
  ObligationHistoryQuery,
  ObligationParams,
  ObligationPnl,
  ObligationPnlQuery,
} from './history-schemas.ts';
import { refreshedStats } from './refreshed-stats-answers.ts';

const positionOf = ({ amount }: PointPosition) => ({
  amount: decimal(amount.baseUnits),
  mintAddress: amount.mint,
  marketValueRefreshed: decimal(amount.usd),
});

/** The contract has no null here, so a bucket without a price of SOL is omitted. */
function entryOf(
  { bucket, sampledAt, stats, deposits, borrows, sol, potentialGroup }: ObligationPoint,
  tag: number,
): AnswerOf<typeof ObligationHistory>['history'] {
  if (sol === null) return [];
  return [
    {
      timestamp: bucket.toISOString(),
      refreshedStats: refreshedStats(stats, potentialGroup()),
      deposits: deposits.map(positionOf),
      borrows: borrows.map(positionOf),
      tag,
      obligationSolValues: {
        netValueSol: decimal(sol.net),
        collateralValueSol: decimal(sol.collateral),
        debtValueSol: decimal(sol.debt),
        solPrice: decimal(sol.price.usd),
        timestampSolPrice: sol.price.at.toISOString(),
        timestampObligation: sampledAt.toISOString(),
      },
    },
  ];
}

export const OBLIGATION_HISTORY = operation({
  id: 'getObligationMetricsHistory',
  method: 'get',
  path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/metrics/history',
  tag: 'Lending',
  summary: 'Historical metrics of one obligation',
  description:
    'Points in ascending order of time. One entry per UTC day when the known part of the range is longer than 31 days, otherwise one per hour, including the current bucket, which shows the current state. Computed from the transactions of the obligation and the recorded history of its reserves; a bucket with an unknown price is omitted. Closed obligations are included. Every failure is a 500, including invalid input.',
  graph:
    'query { obligation(address) { tagNumber metricsHistory(range useStakeRate) { points { timestamp sampledAt deposits { amount { baseUnits usd token { mint } } } borrows { amount { baseUnits usd token { mint } } } stats { leverage borrowLimitUsd loanToValue liquidationLtv netAccountValueUsd userTotalBorrowUsd userTotalDepositUsd borrowUtilization borrowLiquidationLimitUsd userTotalCollateralDepositUsd userTotalLiquidatableDepositUsd userTotalBorrowBorrowFactorAdjustedUsd potentialElevationGroupUpdate } netValueSol collateralValueSol debtValueSol solPriceUsd solPriceAt } } } }',
  family: ONLY_500_ERRORS,
  holds: 'never',
  params: ObligationParams,
  query: ObligationHistoryQuery,
  response: ObligationHistory,
  example: ({ market, obligation }) => ({
    params: { marketPubkey: market, obligationPubkey: obligation },
  }),
  async answer({ session, platform }, { params: { marketPubkey, obligationPubkey }, query }) {
    platform.requireCluster(query.env);
    const range = checkedRange(session, query);
    const { market, timeline } = await timelineInMarket(platform, session, marketPubkey, obligationPubkey);
    const { points } = await obligationHistory(platform, session, market, timeline, {
      range,
      resolution: { interval: null, maxPoints: null },
      useStakeRate: query.useStakeRateForObligation ?? false,
    });
    const tag = tagOf(session, timeline) ?? 0;
    return { obligation: obligationPubkey, history: points.flatMap((point) => entryOf(point, tag)) };
  },
});

export const OBLIGATION_PNL = operation({
  id: 'getObligationPnl',
  method: 'get',
  path: '/v2/svc-market/{marketPubkey}/obligations/{obligationPubkey}/pnl',
  tag: 'Lending',
  summary: 'Profit and loss of one obligation',
  description:
    'The current net value less the net investment, each transaction valued at the prices at its time. Liquidations are not part of the net investment; their cost shows in the net value. Closed obligations are included.',
  graph: 'query { obligation(address) { pnl(mode useStakeRate) { usd sol invested { usd sol } } } }',
  family: READ_ERRORS,
  holds: 'never',
  params: ObligationParams,
  query: ObligationPnlQuery,
  response: ObligationPnl,
  example: ({ market, obligation }) => ({
    params: { marketPubkey: market, obligationPubkey: obligation },
  }),
  async answer({ session, platform }, { params: { marketPubkey, obligationPubkey }, query }) {
    platform.requireCluster(query.env);
    const { market, timeline } = await timelineInMarket(platform, session, marketPubkey, obligationPubkey);
    if (query.programId !== undefined && market.owner !== query.programId) {
      const reason = `Market ${market.address} belongs to lending program ${market.owner}, not ${query.programId}. Omit \`programId\`, or pass that one.`;
      throw new SluiceError('BAD_REQUEST', { reason });
    }
    const mode = query.positionMode ?? 'current_obligation';
    const { usd, sol, invested } = await obligationPnl(
      platform,
      session,
      timeline,
      mode,
      query.useStakeRate ?? false,
    );
    return {
      usd: decimal(usd),
      sol: decimal(sol),
      invested: { usd: decimal(invested.usd), sol: decimal(invested.sol) },
    };
  },
});
