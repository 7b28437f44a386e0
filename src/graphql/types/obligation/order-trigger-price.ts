import type { NoTriggerPrice } from '../../../domain/order-outlook.ts';
import type { TriggerPrice } from '../../../services/obligations/leverage-orders.ts';
import { builder } from '../../builder.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';

const SideRef = builder.enumType('TriggerSide', {
  description: 'Side of a price on which an order triggers.',
  values: {
    BELOW: { description: 'The order triggers while the price is below.' },
    ABOVE: { description: 'The order triggers while the price is above.' },
  } as const,
});

const NoTriggerPriceRef = builder.enumType('NoTriggerPrice', {
  description: 'Why no price of a collateral alone triggers an order.',
  values: {
    VALUE_UNKNOWN: { description: 'A value that it depends on is unknown.' },
    NO_PRICE_CONDITION: { description: 'The condition has no threshold that a price could reach.' },
    NO_DEBT: { description: 'The obligation has no debt.' },
    POSITIONS: { description: 'The order does not fit the number of deposits and debts.' },
    AT_ANY_PRICE: { description: 'The condition holds at any price of this collateral.' },
    AT_NO_PRICE: {
      description:
        'The rest of the position keeps the condition from holding at any price of this collateral.',
    },
    LIQUIDATED_FIRST: {
      description: 'The obligation is liquidated at a higher price of this collateral.',
    },
  } as const satisfies Record<NoTriggerPrice, object>,
});

export const OrderTriggerPriceRef = builder.objectRef<TriggerPrice>('OrderTriggerPrice').implement({
  description:
    'The price of a collateral at which an order of an obligation triggers, all other prices unchanged.',
  fields: (t) => ({
    ...reserveFields(t, ({ reserve }) => reserve, 'The reserve of the collateral.'),
    currentUsd: t.expose('currentUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Price of the collateral now, in USD. Null when it is unknown.',
    }),
    triggerUsd: t.expose('triggerUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Price at which the order triggers, in USD. Null when no price of this collateral alone triggers it; `reason` says why.',
    }),
    side: t.expose('side', {
      type: SideRef,
      nullable: true,
      description: 'Side of that price on which the order triggers. Null without a price.',
    }),
    reason: t.expose('reason', {
      type: NoTriggerPriceRef,
      nullable: true,
      description: 'Why there is no such price. Null when there is one.',
    }),
  }),
});
