import {
  type ObligationInterest,
  obligationInterest,
  type TokenInterest,
} from '../../../services/history/obligations/interest.ts';
import { timelineOf } from '../../../services/history/obligations/timeline.ts';
import { builder } from '../../builder.ts';
import { ObligationRef } from '../../node-refs.ts';
import { TimeRangeInput } from '../history/time.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const DayInterestRef = builder.objectRef<TokenInterest['days'][number]>('DayInterest').implement({
  description: 'Interest in one token on one UTC day.',
  fields: (t) => ({
    timestamp: t.expose('day', {
      type: 'DateTime',
      description: 'Start of the day. The current day ends at the time of the View.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Interest of the day, valued at the prices at its end.',
    }),
  }),
});

const TokenInterestRef = builder.objectRef<TokenInterest>('TokenInterest').implement({
  description: 'Interest in one token by day.',
  fields: (t) => ({
    days: t.expose('days', {
      type: [DayInterestRef],
      description:
        'The days on which the obligation had a position in the token, in ascending order. A day with an unknown rate or price is omitted.',
    }),
    total: t.expose('total', {
      type: TokenAmountRef,
      description: 'Sum of the days, each valued at its own prices.',
    }),
  }),
});

const ObligationInterestRef = builder.objectRef<ObligationInterest>('ObligationInterest').implement({
  description: 'Interest of an obligation by token and day.',
  fields: (t) => ({
    earned: t.expose('earned', {
      type: [TokenInterestRef],
      description: 'Interest earned on deposits, ordered by mint.',
    }),
    paid: t.expose('paid', {
      type: [TokenInterestRef],
      description: 'Interest that accrued on debts, ordered by mint.',
    }),
    complete: t.exposeBoolean('complete', {
      description:
        'Whether no day is omitted, and all transactions of the obligation have been read from the chain.',
    }),
  }),
});

builder.objectFields(ObligationRef, (t) => ({
  interest: t.field({
    type: ObligationInterestRef,
    nullable: true,
    description:
      'Interest of the obligation on the UTC days that start in the range, computed from its transactions and the recorded rates of its reserves. The first request for an obligation reads its transactions from the chain. Null, with an error, when this deployment records no history (HISTORY_DISABLED), history is starting (HISTORY_STARTING) or its database is unavailable (HISTORY_UNAVAILABLE).',
    args: {
      range: t.arg({
        type: TimeRangeInput,
        description: 'Time range. Defaults to everything recorded.',
      }),
    },
    resolve: async (record, { range }, { platform, session }) =>
      await obligationInterest(platform, session, await timelineOf(platform, session, record), range ?? {}),
  }),
}));
