import type { ListedAlert, ListedDelivery } from '../../../alerts/listed-alerts.ts';
import type { AlertMetric } from '../../../alerts/metrics.ts';
import { builder } from '../../builder.ts';

export const AlertMetricRef = builder.enumType('AlertMetric', {
  description: 'A figure that an alert watches. Rates and shares are fractions: "0.05" means 5%.',
  values: {
    OBLIGATION_HEALTH: {
      description: 'Health factor of an obligation, as `Obligation.healthFactor`. Clear without debt.',
    },
    OBLIGATION_LTV: {
      description:
        'Loan-to-value of an obligation. Clear without debt; 1,000,000 for a debt without collateral.',
    },
    OBLIGATION_LIQUIDATION_DISTANCE: {
      description:
        'Fraction by which all collateral of an obligation may lose value before it can be liquidated. Clear without debt.',
    },
    WALLET_HEALTH: {
      description:
        'As OBLIGATION_HEALTH, for the obligation of the wallet that is closest to the threshold or furthest beyond it.',
    },
    WALLET_LTV: {
      description:
        'As OBLIGATION_LTV, for the obligation of the wallet that is closest to the threshold or furthest beyond it.',
    },
    WALLET_LIQUIDATION_DISTANCE: {
      description:
        'As OBLIGATION_LIQUIDATION_DISTANCE, for the obligation of the wallet that is closest to the threshold or furthest beyond it.',
    },
    VAULT_APY: { description: 'Current total APY of a vault.' },
    VAULT_OUTFLOW: {
      description:
        'Fraction of a vault\u2019s shares redeemed, net of those issued, since the highest supply of the current one-hour window. Detects large withdrawals.',
    },
    RESERVE_UTILIZATION: { description: 'Utilization of a reserve.' },
    RESERVE_DEPOSIT_REMAINING: {
      description: 'Rest of the deposit limit of a reserve, in whole tokens.',
    },
    RESERVE_BORROW_REMAINING: { description: 'Rest of the borrow limit of a reserve, in whole tokens.' },
    RESERVE_PRICE_STATUS: {
      description:
        '1 while the lending program does not accept the price of a reserve: stale, missing, or failing another check. 0 otherwise. Takes no threshold.',
    },
    DRIFT: {
      description:
        'Number of values that the gateway computes differently from those stored on chain, beyond their tolerance. Takes no subject and no threshold: fires from 1 on.',
    },
  } as const satisfies Record<AlertMetric, object>,
});

const AlertStateRef = builder.enumType('AlertState', {
  description: 'The state of an alert.',
  values: {
    PENDING: { description: 'The figure has not been read yet.' },
    CLEAR: { description: 'The condition does not hold.' },
    FIRING: { description: 'The condition holds. Its receiver was notified, or is being notified.' },
    UNKNOWN: {
      description:
        'The figure cannot be computed now, for example because a price is unknown. The alert neither fires nor clears meanwhile.',
    },
  } as const,
});

const AlertEventRef = builder.enumType('AlertEvent', {
  description: 'Event that a message reports.',
  values: {
    FIRED: { description: 'The condition has started to hold.' },
    CLEARED: { description: 'The condition no longer holds.' },
    TEST: { description: 'Sent by `testAlert`.' },
  } as const,
});

export const DeliveryStatusRef = builder.enumType('DeliveryStatus', {
  description: 'Delivery status of a message.',
  values: {
    PENDING: { description: 'Waits for its first attempt or for the next one.' },
    DELIVERED: { description: 'The receiver answered with a status from 200 to 299.' },
    DEAD: { description: 'Given up after a day of attempts. `retryDelivery` sends it again.' },
  } as const,
});

export const AlertDeliveryRef = builder.objectRef<ListedDelivery>('AlertDelivery').implement({
  description: 'A message of an alert to its receiver.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'Identifies the message, also in its body. A receiver that has seen it ignores it.',
    }),
    sequence: t.exposeInt('sequence', {
      description: 'Number of the message within its alert. They are delivered in this order.',
    }),
    event: t.expose('event', { type: AlertEventRef, description: 'Event that it reports.' }),
    status: t.expose('status', { type: DeliveryStatusRef, description: 'Delivery status.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts to send it.' }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed. Null when it succeeded, and before the first.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of the crossing.' }),
    nextAttemptAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of the next attempt. Null when there is none.',
      resolve: ({ status, nextAt }) => (status === 'PENDING' ? nextAt : null),
    }),
    endedAt: t.expose('endedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which it was delivered or given up. Null while it is pending.',
    }),
    body: t.exposeString('body', { description: 'The message: a JSON document.' }),
  }),
});

export const AlertRef = builder.objectRef<ListedAlert>('Alert').implement({
  description: 'A condition that is checked in every View, and the receiver of its messages.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Identifies the alert.' }),
    label: t.exposeString('label', { description: 'Its owner\u2019s name for it. May be empty.' }),
    url: t.exposeString('url', { description: 'URL of the receiver.' }),
    metric: t.expose('metric', { type: AlertMetricRef, description: 'The figure.' }),
    subject: t.expose('subject', {
      type: 'Address',
      nullable: true,
      description: 'Address of the obligation, wallet, vault or reserve. Null for DRIFT.',
    }),
    above: t.expose('above', {
      type: 'Decimal',
      nullable: true,
      description:
        'Fires when the figure is at or above this value. Null for an alert that fires below one, or has no threshold.',
    }),
    below: t.expose('below', {
      type: 'Decimal',
      nullable: true,
      description:
        'Fires when the figure is at or below this value. Null for an alert that fires above one, or has no threshold.',
    }),
    clearAt: t.expose('clearAt', {
      type: 'Decimal',
      nullable: true,
      description: 'Clears at this figure. Null for an alert without thresholds.',
    }),
    minIntervalSeconds: t.exposeInt('minIntervalSeconds', {
      description:
        'Shortest time between two messages, in seconds. A crossing within it is sent when it is over, if the condition still holds.',
    }),
    paused: t.exposeBoolean('paused', { description: 'Whether the alert is paused.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time of registration.' }),
    state: t.expose('state', { type: AlertStateRef, description: 'Its state.' }),
    unknownSince: t.expose('unknownSince', {
      type: 'DateTime',
      nullable: true,
      description: 'Time at which the figure became unknown. Null while it is known.',
    }),
    value: t.expose('value', {
      type: 'Decimal',
      nullable: true,
      description: 'The figure at the last crossing. Null before the first, and when there was none.',
    }),
    slot: t.expose('slot', {
      type: 'U64',
      nullable: true,
      description: 'Slot of the last crossing. Null before the first.',
    }),
    crossedAt: t.expose('crossedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Time of the last crossing. Null before the first.',
    }),
    deliveries: t.field({
      type: [AlertDeliveryRef],
      description: 'The newest messages, newest first. They are deleted some days after delivery ended.',
      args: {
        first: t.arg.int({
          required: true,
          defaultValue: 10,
          description: 'Most messages of each alert, 1 to 100.',
        }),
        status: t.arg({
          type: DeliveryStatusRef,
          required: false,
          description: 'Only messages of this status: DEAD lists the dead letters.',
        }),
      },
      resolve: async (alert, { first, status }) => [...(await alert.deliveries(first, status ?? null))],
    }),
  }),
});
