import { safeDate } from '../../../domain/dates.ts';
import {
  type DebtEndCause,
  type DebtEnding,
  endsOfDebt,
  endsOfDebts,
} from '../../../services/obligations/debt-ends.ts';
import { builder } from '../../builder.ts';
import { ObligationRef } from '../../node-refs.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { ObligationBorrowRef } from './obligation-parts.ts';

export const DebtEndCauseRef = builder.enumType('DebtEndCause', {
  description: 'Reason for which a debt ends.',
  values: {
    TERM: { description: 'Its own term ends, a fixed time after the last borrow from the reserve.' },
    MATURITY: { description: 'The reserve matures: all debts to it end on one date.' },
  } as const satisfies Record<DebtEndCause, object>,
});

export const dateOf = (seconds: bigint | null): Date | null => (seconds === null ? null : safeDate(seconds));

const DebtEndRef = builder.objectRef<DebtEnding>('DebtEnd').implement({
  description:
    'The end of a debt: from then on nothing more can be borrowed on it and, where the market allows it, anyone may liquidate it, however healthy the loan is.',
  fields: (t) => ({
    ...reserveFields(t, ({ reserve }) => reserve, 'The reserve of the debt.'),
    cause: t.expose('cause', { type: DebtEndCauseRef, description: 'Reason for which the debt ends.' }),
    endsAt: t.field({
      type: 'DateTime',
      description: 'Time of the end.',
      resolve: ({ at }) => safeDate(at),
    }),
    daysLeft: t.expose('daysLeft', {
      type: 'Decimal',
      description: 'Days until the end. 0 once it is over.',
    }),
    isOver: t.exposeBoolean('isOver', { description: 'Whether the debt has ended.' }),
    liquidatableFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which anyone may liquidate the debt because it has ended. Null when the market has this switched off.',
      resolve: ({ liquidatableFrom }) => dateOf(liquidatableFrom),
    }),
    wholeFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which one liquidation may settle all of the debt. Until then it settles a part that grows evenly; a debt below the market\u2019s minimum is settled whole at once. Null when the market has this switched off.',
      resolve: ({ wholeFrom }) => dateOf(wholeFrom),
    }),
    liquidatable: t.expose('liquidatable', {
      type: TokenAmountRef,
      description:
        'Debt that one liquidation may settle now because the debt has ended, whatever the health factor. 0 before the end, and when the market has this switched off.',
    }),
    rolloverFrom: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Time from which anyone may roll the debt over, on the terms of `ObligationBorrow.rollover`. Null when the owner has not allowed it, when the market has it switched off, and for a maturity, which no rollover within the reserve defers.',
      resolve: ({ rolloverFrom }) => dateOf(rolloverFrom),
    }),
    description: t.exposeString('description', {
      description: 'The end and its consequence in sentences for users.',
    }),
  }),
});

builder.objectFields(ObligationBorrowRef, (t) => ({
  ends: t.field({
    type: [DebtEndRef],
    description:
      'Ends of the debt, the earlier one first: at most its term and the maturity of the reserve. Empty for a debt that never ends, and when the reserve or the market cannot be read.',
    resolve: ({ stored, market }, _args, { session }) => endsOfDebt(session.view, market, stored),
  }),
}));

builder.objectFields(ObligationRef, (t) => ({
  debtEnds: t.field({
    type: [DebtEndRef],
    description:
      'Ends of its debts, the earliest first. A debt that has ended can be liquidated at any health factor, unless the market has this switched off. Empty when no debt ends, and when the market cannot be read.',
    resolve: (record, _args, { session }) => endsOfDebts(session.view, record),
  }),
}));
