import {
  type ObligationHistory,
  type ObligationPoint,
  obligationHistory,
  type PointPosition,
} from '../../../services/history/obligations/history.ts';
import { type ObligationPnl, obligationPnl } from '../../../services/history/obligations/pnl.ts';
import { timelineOf } from '../../../services/history/obligations/timeline.ts';
import { marketInView } from '../../../services/markets/markets.ts';
import { builder } from '../../builder.ts';
import { ObligationRef } from '../../node-refs.ts';
import { BUCKET, historyArgs, historyOf, NO_HISTORY, seriesRequest } from '../history/history-fields.ts';
import { presentReserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ValueRef } from '../wallet/wallet.ts';
import { ObligationStatsRef } from './obligation-parts.ts';

const STAKE_RATE =
  'Value liquid-staking tokens in SOL at their stake rate instead of their price. USD values are unaffected.';

const ObligationPointPositionRef = builder.objectRef<PointPosition>('ObligationPointPosition').implement({
  description: 'A deposit in a reserve, or a debt to it, at a time in the past.',
  fields: (t) => ({
    ...presentReserveFields(t),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description:
        'Amount in tokens of the reserve, with interest up to that time, valued at the prices at that time.',
    }),
  }),
});

const ObligationPointRef = builder.objectRef<ObligationPoint>('ObligationPoint').implement({
  description:
    'One bucket of an obligation\u2019s history: its state when its reserves were last recorded in the bucket. The current bucket shows the state in the View.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    sampledAt: t.expose('sampledAt', {
      type: 'DateTime',
      description: 'Time at which the obligation is valued.',
    }),
    deposits: t.expose('deposits', {
      type: [ObligationPointPositionRef],
      description: 'Deposits at that time.',
    }),
    borrows: t.expose('borrows', { type: [ObligationPointPositionRef], description: 'Debts at that time.' }),
    stats: t.field({
      type: ObligationStatsRef,
      description:
        'Totals and ratios, computed from the recorded prices and configuration of its reserves. Elevation groups are not recorded: the current group and its current terms are assumed.',
      resolve: (point) => point,
    }),
    netValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`collateralValueSol` - `debtValueSol`, in SOL. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.net ?? null,
    }),
    collateralValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Total of deposits, in SOL. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.collateral ?? null,
    }),
    debtValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Total of debts, in SOL. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.debt ?? null,
    }),
    solPriceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Price of SOL in USD. Null when unknown.',
      resolve: ({ sol }) => sol?.price.usd ?? null,
    }),
    solPriceAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of that price. Null when unknown.',
      resolve: ({ sol }) => sol?.price.at ?? null,
    }),
  }),
});

const ObligationHistoryRef = historyOf('Obligation', ObligationPointRef, 'obligation');

builder.objectField(ObligationHistoryRef, 'transactionsComplete', (t) =>
  t.boolean({
    description:
      'Whether all transactions of the obligation have been read from the chain. If not, `complete` is false and the points are reconstructed backwards from the current state.',
    resolve: (history) => (history as ObligationHistory).transactionsComplete,
  }),
);

const PnlModeRef = builder.enumType('PnlMode', {
  description: 'The period over which profit and loss is computed.',
  values: {
    OBLIGATION_ALL_TIME: { description: 'The whole life of the obligation.' },
    CURRENT_OBLIGATION: { description: 'Since the obligation was last empty. Zero when it is empty now.' },
  } as const,
});

const MODES = {
  OBLIGATION_ALL_TIME: 'obligation_all_time',
  CURRENT_OBLIGATION: 'current_obligation',
} as const;

const ObligationPnlRef = builder.objectRef<ObligationPnl>('ObligationPnl').implement({
  description:
    'Profit and loss of an obligation: the current net value less the net investment, each transaction valued at the prices at its time.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Profit in USD, negative for a loss. Null when a price that it needs was not recorded.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Profit in SOL, negative for a loss. Null when a price that it needs was not recorded.',
    }),
    invested: t.expose('invested', {
      type: ValueRef,
      description:
        'Net investment: deposits and repayments less withdrawals and borrows. Liquidations are not part of it; their cost shows in the net value.',
    }),
    complete: t.exposeBoolean('complete', {
      description: 'Whether all transactions of the obligation are known.',
    }),
  }),
});

builder.objectFields(ObligationRef, (t) => ({
  metricsHistory: t.field({
    type: ObligationHistoryRef,
    nullable: true,
    description: `History of the obligation, computed from its transactions and the recorded history of its reserves. A bucket with an unknown price is omitted. The first request for an obligation reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      ...historyArgs(t.arg),
      useStakeRate: t.arg.boolean({ defaultValue: false, description: STAKE_RATE }),
    },
    resolve: async (record, { useStakeRate, ...args }, { platform, session }) => {
      const market = marketInView(session.view, record.value.lendingMarket);
      const timeline = await timelineOf(platform, session, record);
      const ask = { ...seriesRequest(session, args), useStakeRate: useStakeRate ?? false };
      return await obligationHistory(platform, session, market, timeline, ask);
    },
  }),
  pnl: t.field({
    type: ObligationPnlRef,
    nullable: true,
    description: `Profit and loss of the obligation. The first request for an obligation reads its transactions from the chain. ${NO_HISTORY}`,
    args: {
      mode: t.arg({
        type: PnlModeRef,
        defaultValue: 'CURRENT_OBLIGATION',
        description: 'Period over which to compute it.',
      }),
      useStakeRate: t.arg.boolean({ defaultValue: false, description: STAKE_RATE }),
    },
    resolve: async (record, { mode, useStakeRate }, { platform, session }) =>
      await obligationPnl(
        platform,
        session,
        await timelineOf(platform, session, record),
        MODES[mode ?? 'CURRENT_OBLIGATION'],
        useStakeRate ?? false,
      ),
  }),
}));
