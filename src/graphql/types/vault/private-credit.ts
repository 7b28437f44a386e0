import {
  type PrivateCreditPoint,
  privateCreditHistory,
} from '../../../services/history/private-credit-history.ts';
import * as credit from '../../../services/risk/private-credit.ts';
import { builder } from '../../builder.ts';
import { MarketRef, marketLink, ObligationRef, ReserveRef, reserveLink } from '../../node-refs.ts';
import { BUCKET } from '../history/history-fields.ts';
import { TimeRangeInput } from '../history/time.ts';
import { checkedFirst } from '../risk/scenario-risk.ts';

const LoanStatusRef = builder.enumType('LoanStatus', {
  description: 'Distance of a loan to a liquidation.',
  values: {
    HEALTHY: { description: 'It may borrow more.' },
    AT_RISK: { description: 'Its debt is above what it may borrow, and below what can be liquidated.' },
    LIQUIDATABLE: {
      description: 'Anyone may liquidate a part of it, for its health or because a debt has ended.',
    },
  } as const satisfies Record<credit.LoanStatus, object>,
});

const PrivateCreditLoanRef = builder.objectRef<credit.PrivateCreditLoan>('PrivateCreditLoan').implement({
  description: 'A loan of a market that vaults of private credit lend to, at the prices of the View.',
  fields: (t) => ({
    obligationAddress: t.expose('address', { type: 'Address', description: 'Address of the obligation.' }),
    obligation: t.field({
      type: ObligationRef,
      nullable: true,
      description: 'The obligation, read live. Null, with an error, when it cannot be read.',
      resolve: ({ address }) => address,
    }),
    marketAddress: t.expose('market', { type: 'Address', description: 'Address of the lending market.' }),
    depositedUsd: t.expose('depositedUsd', { type: 'Decimal', description: 'Value of its deposits in USD.' }),
    borrowedUsd: t.expose('borrowedUsd', { type: 'Decimal', description: 'Value of its debts in USD.' }),
    ltv: t.expose('ltv', {
      type: 'Decimal',
      nullable: true,
      description:
        'Debts times their borrow factors / deposits, as a fraction rounded down to 2^-60, as the program does. Null without deposits.',
    }),
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      nullable: true,
      description: 'The LTV up to which it may borrow, as a fraction. Null without deposits.',
    }),
    status: t.expose('status', { type: LoanStatusRef, description: 'Distance to a liquidation.' }),
    collateralReserve: t.field({
      type: ReserveRef,
      nullable: true,
      description:
        'The reserve of its most valuable deposit. Null without deposits; null with an error when it cannot be read.',
      resolve: ({ collateral }, _args, { session }) => collateral && reserveLink(session, collateral),
    }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      description: 'Time when the loans of its market were read.',
    }),
  }),
});

const PrivateCreditRef = builder.objectRef<credit.PrivateCredit>('PrivateCredit').implement({
  description:
    'The loans of all markets that vaults of private credit lend to, at the prices of the View. Totals leave out loans with an unknown price.',
  fields: (t) => ({
    markets: t.field({
      type: [MarketRef],
      description: 'The markets, by address. The catalogue of this deployment says which vaults are meant.',
      resolve: ({ markets }, _args, { session }) => markets.map((market) => marketLink(session, market)),
    }),
    activeLoans: t.int({
      description: 'Number of loans whose value is known.',
      resolve: ({ totals }) => totals.loans,
    }),
    unvaluedLoans: t.int({
      description: 'Number of loans with an unknown price, which are left out.',
      resolve: ({ totals }) => totals.unvalued,
    }),
    depositedUsd: t.field({
      type: 'Decimal',
      description: 'Value of their deposits in USD.',
      resolve: ({ totals }) => totals.depositedUsd,
    }),
    borrowedUsd: t.field({
      type: 'Decimal',
      description: 'Value of their debts in USD.',
      resolve: ({ totals }) => totals.borrowedUsd,
    }),
    weightedLtv: t.field({
      type: 'Decimal',
      description: 'Mean LTV weighted by the value of the deposits, as a fraction. 0 without loans.',
      resolve: ({ totals }) => credit.weightedLtv(totals),
    }),
    averageLtv: t.field({
      type: 'Decimal',
      description: 'Mean LTV of loans with deposits, as a fraction. 0 without loans.',
      resolve: ({ totals }) => credit.averageLtv(totals),
    }),
    maxLtv: t.field({
      type: 'Decimal',
      description: 'The highest LTV of a loan, as a fraction. 0 without loans.',
      resolve: ({ totals }) => totals.maxLtv,
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'Time when the loans were read; of several markets, of the one that was read first.',
    }),
    loans: t.field({
      type: [PrivateCreditLoanRef],
      description: 'The loans, largest debt first.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 20,
          description: `Number of loans, at most ${credit.MAX_PRIVATE_LOANS}.`,
        }),
      },
      resolve: ({ loans }, { first }) => loans.slice(0, checkedFirst(first, credit.MAX_PRIVATE_LOANS)),
    }),
  }),
});

const LoanStatusShareRef = builder
  .objectRef<PrivateCreditPoint['statuses'][number]>('LoanStatusShare')
  .implement({
    description: 'Loans in one state.',
    fields: (t) => ({
      status: t.expose('status', { type: LoanStatusRef, description: 'The state.' }),
      loans: t.exposeInt('loans', { description: 'Number of loans in it.' }),
      share: t.expose('share', {
        type: 'Decimal',
        description: 'Part of all loans, as a fraction. 0 without loans.',
      }),
    }),
  });

const PrivateCreditPointRef = builder.objectRef<PrivateCreditPoint>('PrivateCreditPoint').implement({
  description:
    'One bucket of the history of the loans of private credit, from the last hourly scan in it. Totals leave out loans with an unknown price.',
  fields: (t) => ({
    timestamp: t.field({ ...BUCKET, resolve: ({ bucket }) => bucket }),
    activeLoans: t.exposeInt('loans', { description: 'Number of loans whose value was known.' }),
    unvaluedLoans: t.exposeInt('unvalued', {
      description: 'Number of loans with an unknown price, which are left out.',
    }),
    depositedUsd: t.expose('depositedUsd', {
      type: 'Decimal',
      description: 'Value of their deposits in USD.',
    }),
    borrowedUsd: t.expose('borrowedUsd', { type: 'Decimal', description: 'Value of their debts in USD.' }),
    weightedLtv: t.expose('weightedLtv', {
      type: 'Decimal',
      description: 'Mean LTV weighted by the value of the deposits, as a fraction. 0 without loans.',
    }),
    maxLtv: t.expose('maxLtv', {
      type: 'Decimal',
      description: 'The highest LTV of a loan, as a fraction. 0 without loans.',
    }),
    statuses: t.expose('statuses', {
      type: [LoanStatusShareRef],
      description: 'The loans by their distance to a liquidation.',
    }),
  }),
});

builder.queryFields((t) => ({
  privateCredit: t.field({
    type: PrivateCreditRef,
    nullable: true,
    description:
      'Loans behind the vaults that the catalogue of this deployment lists as private credit. Null, with an error, while the loans cannot be read from the RPC endpoints.',
    resolve: (_root, _args, { platform, session }) => credit.privateCredit(platform, session),
  }),
  privateCreditHistory: t.field({
    type: [PrivateCreditPointRef],
    description:
      'Recorded loans of the markets that vaults of private credit lend to now, in ascending order of time: one point per UTC day when the recorded part of the range is longer than 31 days, otherwise one per hour. Empty before the first hourly scan. Fails when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description: 'Time range of the series. Defaults to everything recorded.',
      }),
    },
    resolve: (_root, { range }, { platform, session }) =>
      privateCreditHistory(platform, session, range ?? {}),
  }),
}));
