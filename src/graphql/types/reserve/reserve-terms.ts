import { safeDate } from '../../../domain/dates.ts';
import { type DebtTermKind, type ReserveTerms, reserveTerms } from '../../../services/reserves/debt-terms.ts';
import { builder } from '../../builder.ts';
import { ReserveRef } from '../../node-refs.ts';

const DebtTermKindRef = builder.enumType('DebtTermKind', {
  description: 'When the debts to a reserve end.',
  values: {
    OPEN_TERM: { description: 'When they are repaid.' },
    FIXED_TERM: { description: 'Each a fixed time after the last borrow on it.' },
    MATURITY: { description: 'All on one date.' },
  } as const satisfies Record<DebtTermKind, object>,
});

export const BorrowRateKindRef = builder.enumType('BorrowRateKind', {
  description: 'Whether the rate of a debt depends on the utilization of its reserve.',
  values: {
    FIXED: {
      description:
        'The same rate at any utilization. It holds for as long as the market does not change the settings of the reserve.',
    },
    FLOATING: { description: 'A rate that follows utilization.' },
  } as const,
});

const UNREADABLE = 'or it cannot be read';

const ReserveTermsRef = builder.objectRef<ReserveTerms>('ReserveTerms').implement({
  description: 'Terms of the debts to a reserve: rate, end, and what happens around the end.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DebtTermKindRef, description: 'When the debts end.' }),
    rate: t.field({
      type: BorrowRateKindRef,
      description:
        'Whether the rate is fixed. `borrowApr` and `borrowApy` of the reserve have the rate itself.',
      resolve: ({ hasFixedRate }) => (hasFixedRate ? 'FIXED' : 'FLOATING'),
    }),
    termSeconds: t.field({
      type: 'U64',
      nullable: true,
      description: 'Term of a debt, in seconds from the last borrow on it. Null without a term.',
      resolve: ({ term }) => term,
    }),
    maturesAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Date on which all debts to the reserve end; it then lends no more. Null without such a date.',
      resolve: ({ maturesAt }) => (maturesAt === null ? null : safeDate(maturesAt)),
    }),
    penaltyOfNewDebt: t.expose('penaltyOfNewDebt', {
      type: 'Decimal',
      description:
        'Penalty of repaying a debt right after it was borrowed, as a fraction of it, at today\u2019s rate. It falls to 0 until the end of the term; `ObligationBorrow.earlyRepayPenalty` has that of a debt today. 0 when repaying early is free.',
    }),
    rolloverWindowSeconds: t.field({
      type: 'U64',
      nullable: true,
      description: `Seconds before the end of the term from which a debt can be rolled over to a fixed term, unless its owner sets another window. Null when the market has this switched off, ${UNREADABLE}.`,
      resolve: ({ market }) => market?.rolloverWindow ?? null,
    }),
    openTermWindowSeconds: t.field({
      type: 'U64',
      nullable: true,
      description: `Seconds before the end of the term from which a debt can be rolled over to one without a term. Null when the market has this switched off, ${UNREADABLE}.`,
      resolve: ({ market }) => market?.openTermWindow ?? null,
    }),
    openTermToFixed: t.boolean({
      nullable: true,
      description:
        'Whether the market lets debts without a term be moved to a fixed term at any time. Null when the market cannot be read.',
      resolve: ({ market }) => market?.opensToFixed ?? null,
    }),
    liquidatedAfterTerm: t.boolean({
      nullable: true,
      description:
        'Whether the market lets anyone liquidate a debt whose term has ended, however healthy the loan is. Null when the market cannot be read.',
      resolve: ({ market }) => market?.liquidatesAfterTerm ?? null,
    }),
    liquidatedAfterMaturity: t.boolean({
      nullable: true,
      description:
        'Whether the market lets anyone liquidate the debts to a reserve that has matured, however healthy the loans are. Null when the market cannot be read.',
      resolve: ({ market }) => market?.liquidatesAfterMaturity ?? null,
    }),
    wholeAfterSeconds: t.field({
      type: 'U64',
      nullable: true,
      description: `Seconds after the end of a term until one liquidation may settle the whole debt; the part grows evenly. 0 for all at once. Null when the market has this switched off, ${UNREADABLE}.`,
      resolve: ({ market }) => (market?.liquidatesAfterTerm === true ? market.wholeAfter : null),
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  terms: t.field({
    type: ReserveTermsRef,
    description: 'Terms of its debts: fixed or floating rate, end, rollover and what happens at the end.',
    resolve: (reserve, _args, { session }) => reserveTerms(session.view, reserve),
  }),
}));
