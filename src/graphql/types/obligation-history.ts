import { marketInView } from '../../services/markets.ts';
import {
  type ObligationHistory,
  type ObligationPoint,
  obligationHistory,
  type PointPosition,
} from '../../services/obligations-over-time/history.ts';
import { lifeOf } from '../../services/obligations-over-time/life.ts';
import { type ObligationPnl, obligationPnl } from '../../services/obligations-over-time/pnl.ts';
import { builder } from '../builder.ts';
import { asked, BUCKET, historyArgs, historyOf } from '../history-fields.ts';
import { ObligationRef, ReserveRef, reserveLink } from '../node-refs.ts';
import { TokenAmountRef } from './amounts.ts';
import { ObligationStatsRef } from './obligation-parts.ts';
import { ValueRef } from './wallet.ts';

const NO_HISTORY =
  'Null, with an error, where no history is kept (HISTORY_DISABLED) or it cannot be read now (HISTORY_UNAVAILABLE).';
const STAKE_RATE =
  'Value liquid-staking tokens in SOL at their stake rate instead of their price. USD is not touched by it.';

const ObligationPointPositionRef = builder.objectRef<PointPosition>('ObligationPointPosition').implement({
  description: 'What an obligation had deposited in a reserve, or owed to it, at a moment.',
  fields: (t) => ({
    reserveAddress: t.expose('reserve', {
      type: 'Address',
      nullable: false,
      description: 'Address of the reserve.',
    }),
    reserve: t.field({
      type: ReserveRef,
      nullable: true,
      description: 'The reserve as it is now. Null, with an error, when it cannot be read.',
      resolve: ({ reserve }, _args, { session }) => reserveLink(session, reserve),
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      nullable: false,
      description: 'In the reserve\u2019s token, with interest up to that moment; valued at its prices.',
    }),
  }),
});

const ObligationPointRef = builder.objectRef<ObligationPoint>('ObligationPoint').implement({
  description:
    'A bucket of an obligation: as it was when its reserves were last recorded in it; the running one as it is in the View.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    sampledAt: t.expose('sampledAt', {
      type: 'DateTime',
      nullable: false,
      description: 'The moment at which it is valued.',
    }),
    deposits: t.field({
      type: [ObligationPointPositionRef],
      nullable: false,
      description: 'Its deposits.',
      resolve: ({ deposits }) => [...deposits],
    }),
    borrows: t.field({
      type: [ObligationPointPositionRef],
      nullable: false,
      description: 'Its debts.',
      resolve: ({ borrows }) => [...borrows],
    }),
    stats: t.field({
      type: ObligationStatsRef,
      nullable: false,
      description:
        'The obligation as a whole, by the prices and settings that were recorded of its reserves. Elevation groups are not recorded: it is taken to have been in the one that it is in now, under its present terms.',
      resolve: (point) => point,
    }),
    netValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: '`collateralValueSol` - `debtValueSol`. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.net ?? null,
    }),
    collateralValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Deposits in SOL. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.collateral ?? null,
    }),
    debtValueSol: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Debts in SOL. Null when the price of SOL is unknown.',
      resolve: ({ sol }) => sol?.debt ?? null,
    }),
    solPriceUsd: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'USD per SOL. Null when it is unknown.',
      resolve: ({ sol }) => sol?.price.usd ?? null,
    }),
    solPriceAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When that price was seen. Null when it is unknown.',
      resolve: ({ sol }) => sol?.price.at ?? null,
    }),
  }),
});

const ObligationHistoryRef = historyOf('Obligation', ObligationPointRef, 'obligation');

builder.objectField(ObligationHistoryRef, 'transactionsComplete', (t) =>
  t.boolean({
    nullable: false,
    description:
      'Whether everything that happened to the obligation was read from the chain. Without that `complete` is false, and what is told is reckoned back from the present.',
    resolve: (history) => (history as ObligationHistory).transactionsComplete,
  }),
);

const PnlModeRef = builder.enumType('PnlMode', {
  description: 'From when on profit is reckoned.',
  values: {
    OBLIGATION_ALL_TIME: { description: 'Everything that ever happened to the obligation.' },
    CURRENT_OBLIGATION: { description: 'Since it was last empty; nothing when it is empty now.' },
  } as const,
});

const MODES = {
  OBLIGATION_ALL_TIME: 'obligation_all_time',
  CURRENT_OBLIGATION: 'current_obligation',
} as const;

const ObligationPnlRef = builder.objectRef<ObligationPnl>('ObligationPnl').implement({
  description:
    'What an obligation has brought: net value now, less what was put in and not taken out, each at the prices of its moment.',
  fields: (t) => ({
    usd: t.expose('usd', {
      type: 'Decimal',
      nullable: true,
      description: 'Profit in USD, negative for a loss. Null when the price of a moment is unknown.',
    }),
    sol: t.expose('sol', {
      type: 'Decimal',
      nullable: true,
      description: 'Profit in SOL, negative for a loss. Null when the price of a moment is unknown.',
    }),
    invested: t.expose('invested', {
      type: ValueRef,
      nullable: false,
      description:
        'Deposits and repayments less withdrawals and borrowed money. A liquidation is none of these: what it cost shows in the net value.',
    }),
    complete: t.exposeBoolean('complete', {
      nullable: false,
      description: 'Whether everything that happened to the obligation is known.',
    }),
  }),
});

builder.objectFields(ObligationRef, (t) => ({
  metricsHistory: t.field({
    type: ObligationHistoryRef,
    nullable: true,
    description: `Its past, folded from what happened to it and from what its reserves were worth. A bucket in which a price is unknown is left out. The first question about an obligation reads it from the chain. ${NO_HISTORY}`,
    args: {
      ...historyArgs(t.arg),
      useStakeRate: t.arg.boolean({ defaultValue: false, description: STAKE_RATE }),
    },
    resolve: async (record, { useStakeRate, ...args }, { platform, session }) => {
      const [range, wish] = asked(args);
      const market = marketInView(session.view, record.value.lendingMarket);
      const life = await lifeOf(platform, session, record);
      const ask = { range, wish, useStakeRate: useStakeRate ?? false };
      return await obligationHistory(platform, session, market, life, ask);
    },
  }),
  pnl: t.field({
    type: ObligationPnlRef,
    nullable: true,
    description: `What it has brought. The first question about an obligation reads it from the chain. ${NO_HISTORY}`,
    args: {
      mode: t.arg({
        type: PnlModeRef,
        defaultValue: 'CURRENT_OBLIGATION',
        description: 'From when on.',
      }),
      useStakeRate: t.arg.boolean({ defaultValue: false, description: STAKE_RATE }),
    },
    resolve: async (record, { mode, useStakeRate }, { platform, session }) =>
      await obligationPnl(
        platform,
        session,
        await lifeOf(platform, session, record),
        MODES[mode ?? 'CURRENT_OBLIGATION'],
        useStakeRate ?? false,
      ),
  }),
}));
