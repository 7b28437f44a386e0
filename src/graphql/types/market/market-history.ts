import { type LeverageMetrics, leverageOfMarket } from '../../../services/history/leverage.ts';
import { type MarketHistoryPoint, marketHistory } from '../../../services/history/market-history.ts';
import { builder } from '../../builder.ts';
import { MarketRef, ReserveRef, reserveLink } from '../../node-refs.ts';
import { reads, selectionOf } from '../../selection.ts';
import { BUCKET, historyArgs, historyOf, seriesRequest } from '../history/history-fields.ts';
import { ObligationTagRef } from '../obligation/obligation-parts.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const read = reads<keyof MarketHistoryPoint>;

const MarketPointRef = builder.objectRef<MarketHistoryPoint>('MarketPoint').implement({
  description: 'One bucket of a market\u2019s history, with the last values of the bucket.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    suppliedUsd: t.expose('depositUsd', {
      ...read('depositUsd'),
      type: 'Decimal',
      nullable: true,
      description:
        'Total supplied over all reserves, in USD. Null when a reserve that held tokens had no price.',
    }),
    borrowedUsd: t.expose('borrowUsd', {
      ...read('borrowUsd'),
      type: 'Decimal',
      nullable: true,
      description:
        'Total borrowed over all reserves, in USD. Null when a reserve that held tokens had no price.',
    }),
    obligations: t.exposeInt('obligations', {
      ...read('obligations'),
      nullable: true,
      description: 'Number of obligations, according to the last hourly scan. Null before the first scan.',
    }),
  }),
});

const MarketHistoryRef = historyOf('Market', MarketPointRef, 'lending market');

const LeverageMetricsRef = builder.objectRef<LeverageMetrics>('LeverageMetrics').implement({
  description:
    'Totals of the leveraged positions between two reserves, from the last hourly scan and at its prices.',
  fields: (t) => ({
    tag: t.expose('tag', { type: ObligationTagRef, description: 'Purpose of the positions.' }),
    depositReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve that they deposit in. Null, with an error, when it cannot be read.',
      resolve: ({ depositReserve }, _args, { session }) => reserveLink(session, depositReserve),
    }),
    borrowReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve that they borrow from. Null, with an error, when it cannot be read.',
      resolve: ({ borrowReserve }, _args, { session }) => reserveLink(session, borrowReserve),
    }),
    averageLeverage: t.expose('averageLeverage', {
      type: 'Decimal',
      description: 'Mean leverage of the positions: deposits / net value.',
    }),
    deposited: t.expose('deposited', {
      type: TokenAmountRef,
      description: 'Sum of their deposits in the deposit reserve.',
    }),
    borrowed: t.expose('borrowed', {
      type: TokenAmountRef,
      description: 'Sum of their debts to the borrow reserve.',
    }),
    tvlUsd: t.expose('tvlUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Deposits less debts, in USD. Null when a price was unknown.',
    }),
    obligations: t.exposeInt('obligations', { description: 'Number of positions.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the scan.' }),
  }),
});

builder.objectFields(MarketRef, (t) => ({
  leverage: t.field({
    type: [LeverageMetricsRef],
    nullable: true,
    description:
      'Leveraged positions by pair of reserves and purpose, from the hourly scan. Empty before the first scan. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    resolve: async ({ address }, _args, { platform, session }) => [
      ...(await leverageOfMarket(platform, session, address)),
    ],
  }),
  metricsHistory: t.field({
    type: MarketHistoryRef,
    nullable: true,
    description:
      'Recorded history of the market. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) => {
      const fields = selectionOf(info).into('points').reads as (keyof MarketHistoryPoint)[];
      return marketHistory(platform, session, address, seriesRequest(session, args), fields);
    },
  }),
}));
