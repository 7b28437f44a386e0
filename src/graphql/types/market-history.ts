import { type LeverageMetrics, leverageOfMarket } from '../../services/history/leverage.ts';
import { type MarketHistoryPoint, marketHistory } from '../../services/history/market-history.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { MarketRef, ReserveRef, reserveLink } from '../node-refs.ts';
import { reads, selectionOf } from '../selection.ts';
import { TokenAmountRef } from './amounts.ts';
import { ObligationTagRef } from './obligation-parts.ts';

const read = reads<keyof MarketHistoryPoint>;

const MarketPointRef = builder.objectRef<MarketHistoryPoint>('MarketPoint').implement({
  description: 'A bucket of a market: its last values.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    suppliedUsd: t.expose('depositUsd', {
      ...read('depositUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'USD supplied over all reserves. Null when a reserve that held something had no price.',
    }),
    borrowedUsd: t.expose('borrowUsd', {
      ...read('borrowUsd'),
      type: 'Decimal',
      nullable: true,
      description: 'USD borrowed over all reserves. Null when a reserve that held something had no price.',
    }),
    obligations: t.exposeInt('obligations', {
      ...read('obligations'),
      nullable: true,
      description: 'How many obligations there were, by the last hourly scan. Null when none had been made.',
    }),
  }),
});

const MarketHistoryRef = historyOf('Market', MarketPointRef, 'lending market');

const LeverageMetricsRef = builder.objectRef<LeverageMetrics>('LeverageMetrics').implement({
  description:
    'What leveraged positions between two reserves amount to, as the last hourly scan saw them, at its prices.',
  fields: (t) => ({
    tag: t.field({
      type: ObligationTagRef,
      nullable: false,
      description: 'What the positions are for.',
      resolve: ({ tag }) => tag,
    }),
    depositReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve that they supply to. Null, with an error, when it cannot be read.',
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
      nullable: false,
      description: 'Mean of deposits / net value over the positions.',
    }),
    deposited: t.expose('deposited', {
      type: TokenAmountRef,
      nullable: false,
      description: 'All their deposits in that reserve.',
    }),
    borrowed: t.expose('borrowed', {
      type: TokenAmountRef,
      nullable: false,
      description: 'All their debts to that reserve.',
    }),
    tvlUsd: t.expose('tvlUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'USD deposited less USD borrowed. Null when a price was unknown.',
    }),
    obligations: t.exposeInt('obligations', { nullable: false, description: 'How many positions.' }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: false,
      description: 'When the market was scanned.',
    }),
  }),
});

builder.objectFields(MarketRef, (t) => ({
  leverage: t.field({
    type: [LeverageMetricsRef],
    nullable: false,
    description:
      'Leveraged positions by pair of reserves and purpose, from the hourly scan; empty before the first. An error where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
    resolve: async ({ address }, _args, { platform, session }) => [
      ...(await leverageOfMarket(platform, session, address)),
    ],
  }),
  metricsHistory: t.field({
    type: MarketHistoryRef,
    nullable: true,
    description:
      'Its past. Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).',
    args: historyArgs(t.arg),
    resolve: ({ address }, args, { platform, session }, info) => {
      const fields = selectionOf(info).into('points').reads as (keyof MarketHistoryPoint)[];
      return marketHistory(platform, session, address, ...asked(args), fields);
    },
  }),
}));
