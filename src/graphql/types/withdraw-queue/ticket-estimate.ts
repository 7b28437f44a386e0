import type {
  EstimateState,
  QueueInflow,
  TicketOutlook,
} from '../../../services/history/ticket-estimates.ts';
import { builder } from '../../builder.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const EstimateStateRef = builder.enumType('WithdrawEstimateState', {
  description: 'What is known about the time at which a ticket of a withdraw queue is paid.',
  values: {
    ESTIMATED: { description: '`paidAt` is an estimate.' },
    PAYABLE_NOW: {
      description:
        'The available liquidity pays it in full, after the tickets before it. Somebody has to send the transactions.',
    },
    OUTFLOW_CAP: {
      description:
        'There is enough liquidity, but the payment exceeds what the withdrawal cap of the reserve leaves in this interval.',
    },
    NOT_WAITING: { description: 'It was cancelled, or its turn is over.' },
    PAYMENTS_BLOCKED: {
      description: 'No ticket of the reserve is paid now: see `Reserve.withdrawQueue.paymentBlock`.',
    },
    PLACE_UNKNOWN: { description: 'The reserve, or a ticket before it, cannot be read.' },
    HISTORY_UNAVAILABLE: {
      description: 'This deployment records no history, or it is starting, or its database is unavailable.',
    },
    HISTORY_TOO_SHORT: {
      description:
        'Less than a day is recorded since nothing is free in the reserve, or the last hours are not.',
    },
    NO_INFLOW: { description: 'No more came in than went out, as far as is seen: see `inflow`.' },
    TOO_FAR: {
      description: 'At the recorded pace it takes more than 90 days, so that a date would say nothing.',
    },
  } as const satisfies Record<EstimateState, object>,
});

const QueueInflowRef = builder.objectRef<QueueInflow>('QueueInflow').implement({
  description:
    'Liquidity that came into a reserve since nothing is free in it, at most over the last 7 days of its recorded history: the change of its available liquidity, and what left, which only the withdraw queue can be paid then. At least as much came in: what is deposited and paid to the queue within the same hour is not seen.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'DateTime',
      description: 'Start of the first recorded hour of these.',
    }),
    until: t.expose('until', { type: 'DateTime', description: 'End of the last whole hour.' }),
    perDay: t.expose('perDay', {
      type: TokenAmountRef,
      description: 'Mean per day, in tokens of the reserve. Negative when more went out.',
    }),
  }),
});

export const TicketEstimateRef = builder.objectRef<TicketOutlook>('WithdrawTicketEstimate').implement({
  description:
    'When a ticket of a withdraw queue is paid in full, if as much liquidity keeps coming in as since nothing is free, at most over the last 7 days, and somebody sends the payments: `missing` / `inflow.perDay`. Interest until then and cancellations before it are not considered.',
  fields: (t) => ({
    state: t.expose('state', {
      type: EstimateStateRef,
      description: 'Why there is no estimate, or ESTIMATED.',
    }),
    paidAt: t.expose('paidAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time by which it is paid in full, to the hour. Null unless ESTIMATED.',
    }),
    missing: t.expose('missing', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Liquidity that must still come in before it can be paid in full: `amountAhead` and its own amount, less what is available. Null when it does not wait, and for PLACE_UNKNOWN.',
    }),
    inflow: t.expose('inflow', {
      type: QueueInflowRef,
      nullable: true,
      description:
        'The recorded inflow. Null when it does not wait, and for HISTORY_UNAVAILABLE and HISTORY_TOO_SHORT.',
    }),
  }),
});
