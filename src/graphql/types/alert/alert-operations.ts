import { checkSubject } from '../../../alerts/check-subject.ts';
import { type ListedAlert, listedAlert, listedAlerts } from '../../../alerts/listed-alerts.ts';
import type { OwnedAlerts } from '../../../alerts/owned-alerts.ts';
import { SluiceError } from '../../../errors/sluice-error.ts';
import { builder } from '../../builder.ts';
import type { GraphQLContext } from '../../context.ts';
import { AlertDeliveryRef, AlertMetricRef, AlertRef } from './alert.ts';

interface Created {
  readonly alert: ListedAlert;
  readonly secret: string;
}

const CreatedAlertRef = builder.objectRef<Created>('CreatedAlert').implement({
  description: 'A new alert and the secret that signs its messages.',
  fields: (t) => ({
    alert: t.expose('alert', { type: AlertRef, description: 'The alert.' }),
    secret: t.exposeString('secret', {
      description: 'Signs the messages of this alert. It is shown only once: store it in the receiver.',
    }),
  }),
});

const CreateAlertInputRef = builder.inputType('CreateAlertInput', {
  description: 'A condition and the receiver of its messages.',
  fields: (t) => ({
    url: t.string({
      required: true,
      description: 'URL of the receiver: https, port 443 or 8443, at a public address.',
    }),
    label: t.string({ required: false, description: 'A name for the alert, at most 100 characters.' }),
    metric: t.field({ type: AlertMetricRef, required: true, description: 'The figure to watch.' }),
    subject: t.field({
      type: 'Address',
      required: false,
      description: 'Address of the obligation, wallet, vault or reserve. Omit it for DRIFT.',
    }),
    above: t.field({
      type: 'Decimal',
      required: false,
      description: 'Fire at this figure and above. Pass either this or `below`.',
    }),
    below: t.field({
      type: 'Decimal',
      required: false,
      description: 'Fire at this figure and below. Pass either this or `above`.',
    }),
    clearAt: t.field({
      type: 'Decimal',
      required: false,
      description:
        'Clear at this figure, so that a figure that hovers around the threshold does not fire repeatedly. Defaults to the threshold.',
    }),
    minIntervalSeconds: t.int({
      required: false,
      description:
        'Shortest time between two messages, in seconds. Defaults to the shortest that is allowed.',
    }),
  }),
});

const UpdateAlertInputRef = builder.inputType('UpdateAlertInput', {
  description: 'Changes to an alert. Omitted fields stay unchanged.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'The alert.' }),
    url: t.string({
      required: false,
      description: 'URL of the receiver. Pending messages are sent there too.',
    }),
    label: t.string({ required: false, description: 'A name for the alert.' }),
    above: t.field({
      type: 'Decimal',
      required: false,
      description: 'Fire at this figure and above. The state starts over with a new threshold.',
    }),
    below: t.field({
      type: 'Decimal',
      required: false,
      description: 'Fire at this figure and below. The state starts over with a new threshold.',
    }),
    clearAt: t.field({
      type: 'Decimal',
      required: false,
      description: 'Clear at this figure. Defaults to the threshold if that is given.',
    }),
    minIntervalSeconds: t.int({
      required: false,
      description: 'Shortest time between two messages, in seconds.',
    }),
    paused: t.boolean({
      required: false,
      description:
        'True pauses the evaluation, false resumes it. Pending messages are still delivered either way.',
    }),
  }),
});

/** The alerts of the caller's key. Answers are for the caller alone, so none is cached. */
function ownedAlerts({ alerts, allowance, platform, session }: GraphQLContext): OwnedAlerts {
  alerts.requireEnabled();
  const keyId = allowance?.keyId ?? null;
  if (keyId === null) {
    const reason = 'Alerts belong to an API key: send the key with this request';
    throw new SluiceError('UNAUTHENTICATED', { reason });
  }
  return alerts.ownedBy(keyId, { database: (what) => platform.historyFor(session, what) });
}

builder.queryField('alerts', (t) =>
  t.field({
    type: [AlertRef],
    description:
      'The alerts of the caller\u2019s API key, oldest first. Needs a key; nobody else sees them. Fails with ALERTS_DISABLED unless the operator has enabled alerts; the localnet always has them.',
    async resolve(_root, _args, context) {
      const owned = ownedAlerts(context);
      return [...listedAlerts(owned, await owned.list())];
    },
  }),
);

builder.mutationField('createAlert', (t) =>
  t.field({
    type: CreatedAlertRef,
    description:
      'Registers an alert for the caller\u2019s API key: a signed message is posted to the receiver each time the condition begins and ceases to hold. Fails with TOO_MANY_ALERTS, ALERT_INVALID or ALERT_URL_REFUSED.',
    args: {
      input: t.arg({ type: CreateAlertInputRef, required: true, description: 'Condition and receiver.' }),
    },
    async resolve(_root, { input }, context) {
      const owned = ownedAlerts(context);
      await checkSubject(context.session, input);
      const { alert, secret } = await owned.create(input);
      return { alert: listedAlert(owned, alert), secret };
    },
  }),
);

builder.mutationField('updateAlert', (t) =>
  t.field({
    type: AlertRef,
    description: 'Changes, pauses or resumes an alert of the caller\u2019s API key.',
    args: { input: t.arg({ type: UpdateAlertInputRef, required: true, description: 'The changes.' }) },
    async resolve(_root, { input }, context) {
      const owned = ownedAlerts(context);
      const alert = await owned.update(String(input.id), input);
      return listedAlert(owned, alert);
    },
  }),
);

builder.mutationField('deleteAlert', (t) =>
  t.id({
    description: 'Deletes an alert of the caller\u2019s API key with its messages, and returns its id.',
    args: { id: t.arg.id({ required: true, description: 'The alert.' }) },
    async resolve(_root, { id }, context) {
      const owned = ownedAlerts(context);
      await owned.remove(String(id));
      return id;
    },
  }),
);

builder.mutationField('testAlert', (t) =>
  t.field({
    type: AlertDeliveryRef,
    description:
      'Sends a message of the event TEST to the receiver of an alert. `alerts` shows its delivery status. At most five a minute for one alert and 30 for all of a key: TOO_MANY_TESTS.',
    args: { id: t.arg.id({ required: true, description: 'The alert.' }) },
    async resolve(_root, { id }, context) {
      const owned = ownedAlerts(context);
      return await owned.test(String(id));
    },
  }),
);

builder.mutationField('retryDelivery', (t) =>
  t.field({
    type: AlertDeliveryRef,
    description:
      'Sends a dead letter again, before newer pending messages of its alert. Does nothing for one that is delivered or pending.',
    args: { id: t.arg.id({ required: true, description: 'The message.' }) },
    async resolve(_root, { id }, context) {
      const owned = ownedAlerts(context);
      return await owned.retry(String(id));
    },
  }),
);
