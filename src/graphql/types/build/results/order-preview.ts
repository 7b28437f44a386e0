import type { OrderFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { OrderTriggerPriceRef } from '../../obligation/order-trigger-price.ts';

export const OrderPreviewRef = builder.objectRef<OrderFigures>('ObligationOrderPreview').implement({
  description: 'An order of an obligation before and after an action on it.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the order in the obligation, 0 or 1.' }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The order that is replaced or cancelled, in one sentence. Null without one.',
    }),
    after: t.exposeString('after', {
      nullable: true,
      description:
        'The new order in one sentence: condition, permitted action and bonus. Null once cancelled.',
    }),
    trigger: t.exposeString('outlook', {
      nullable: true,
      description: 'What the new order watches as it is now, and what would trigger it. Null once cancelled.',
    }),
    isTriggered: t.exposeBoolean('isMet', {
      nullable: true,
      description:
        'Whether the condition of the new order holds now. Null once cancelled, and when a value is unknown.',
    }),
    triggerPrices: t.expose('prices', {
      type: [OrderTriggerPriceRef],
      description:
        'For each deposit, in their order, the price at which the new order triggers. Empty once cancelled.',
    }),
  }),
});
