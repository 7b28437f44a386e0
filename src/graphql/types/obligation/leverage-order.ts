import type { OrderCondition, OrderOpportunity } from '../../../domain/obligation-orders.ts';
import type { OrderHindrance, PlacedOrder } from '../../../services/obligations/leverage-orders.ts';
import { builder } from '../../builder.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { OrderTriggerPriceRef } from './order-trigger-price.ts';

const OrderConditionRef = builder.enumType('LeverageOrderCondition', {
  description: 'When an order of an obligation can be executed.',
  values: {
    NEVER: { description: 'Never.' },
    LTV_ABOVE: { description: 'While the loan-to-value is above the threshold, as for a stop-loss.' },
    LTV_BELOW: { description: 'While the loan-to-value is below the threshold, as for a take-profit.' },
    PRICE_RATIO_ABOVE: {
      description: 'While the price of the debt token in collateral tokens is above the threshold.',
    },
    PRICE_RATIO_BELOW: {
      description: 'While the price of the debt token in collateral tokens is below the threshold.',
    },
    ALWAYS: { description: 'At any time.' },
    LIQUIDATION_LTV_CLOSER_THAN: {
      description: 'While the loan-to-value is closer to liquidation than the threshold.',
    },
  } as const satisfies Record<OrderCondition, object>,
});

const OrderOpportunityRef = builder.enumType('LeverageOrderOpportunity', {
  description: 'Permitted action of the executor of an order.',
  values: {
    DELEVERAGE_AMOUNT: { description: 'Repay up to an amount of a debt for collateral.' },
    DELEVERAGE_ALL: { description: 'Repay all debts for collateral. Up to klend 1.25.' },
    DELEVERAGE_TO_LTV: {
      description:
        'Repay debt for collateral until the loan-to-value falls to a target; all debt with a target of 0. Since klend 1.26.',
    },
    LEVER_UP_AMOUNT: {
      description: 'Add collateral for up to an amount of new debt. Since klend 1.26.',
    },
    LEVER_UP_TO_LTV: {
      description: 'Add collateral for new debt until the loan-to-value rises to a target. Since klend 1.26.',
    },
  } as const satisfies Record<OrderOpportunity, object>,
});

const OrderHindranceRef = builder.enumType('LeverageOrderHindrance', {
  description: 'Why an order of an obligation is not executed, whatever prices do.',
  values: {
    UNKNOWN_TERMS: { description: 'Its terms are unknown to this version of the gateway.' },
    EXECUTION_DISABLED: { description: 'The market has switched off the execution of orders.' },
    NO_DEBT: { description: 'The obligation has no debt to repay.' },
    POSITIONS: { description: 'The order does not fit the number of deposits and debts.' },
    LIQUIDATED_FIRST: { description: 'The obligation is liquidated before the threshold is reached.' },
    PRICE_TRIGGERS_DISABLED: {
      description: 'The market has switched off everything that prices trigger, liquidations included.',
    },
  } as const satisfies Record<OrderHindrance, object>,
});

export const LeverageOrderRef = builder.objectRef<PlacedOrder>('LeverageOrder').implement({
  description:
    'An order of an obligation to lower or raise its leverage once a condition holds. Anyone may execute it for a bonus.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the order in the obligation, 0 or 1.' }),
    description: t.exposeString('description', {
      description: 'The order in one sentence: its condition, the permitted action and the bonus.',
    }),
    trigger: t.exposeString('trigger', {
      nullable: true,
      description:
        'What the order watches as it is now, and what would trigger it, in sentences. Null when the market cannot be read.',
    }),
    watched: t.field({
      type: 'Decimal',
      nullable: true,
      description:
        'What the condition compares with the threshold, as it is now. Null for a condition without a threshold, and when a value is unknown.',
      resolve: ({ outlook }) => outlook?.watched ?? null,
    }),
    isTriggered: t.boolean({
      nullable: true,
      description:
        'Whether the condition holds now. Anyone may then execute the order unless there is a `hindrance`. Null when a value is unknown.',
      resolve: ({ outlook }) => outlook?.isMet ?? null,
    }),
    hindrance: t.field({
      type: OrderHindranceRef,
      nullable: true,
      description:
        'Why the order is not executed, whatever prices do. Null when nothing prevents it, and when the market cannot be read.',
      resolve: ({ outlook }) => outlook?.hindrance ?? null,
    }),
    triggerPrices: t.field({
      type: [OrderTriggerPriceRef],
      description:
        'For each deposit, in their order, the price at which the order triggers. Empty when the market cannot be read.',
      resolve: ({ outlook }) => outlook?.prices ?? [],
    }),
    condition: t.expose('condition', {
      type: OrderConditionRef,
      nullable: true,
      description: 'The condition. Null when it is unknown to this version of the gateway.',
    }),
    threshold: t.expose('threshold', {
      type: 'Decimal',
      nullable: true,
      description:
        'Threshold of the condition: a loan-to-value or a distance of loan-to-values as a fraction, or a ratio of prices. Null for a condition without one.',
    }),
    opportunity: t.expose('opportunity', {
      type: OrderOpportunityRef,
      nullable: true,
      description:
        'Permitted action of the executor. Null when it is unknown to this version of the gateway.',
    }),
    amount: t.expose('debtAmount', {
      type: TokenAmountRef,
      nullable: true,
      description:
        'Amount of debt that remains to be repaid or borrowed. Null for an opportunity without one, and when the token of the debt is unknown.',
    }),
    targetLtv: t.expose('targetLtv', {
      type: 'Decimal',
      nullable: true,
      description: 'Loan-to-value to reach, as a fraction. Null for an opportunity without a target.',
    }),
    minBonus: t.expose('minBonus', {
      type: 'Decimal',
      description: 'Bonus of the executor at the threshold, as a fraction of the repaid value.',
    }),
    maxBonus: t.expose('maxBonus', {
      type: 'Decimal',
      description: 'Largest bonus of the executor, as a fraction of the repaid value.',
    }),
    debtMint: t.expose('debtMint', {
      type: 'Address',
      nullable: true,
      description:
        'Mint of the debt that the order is limited to. Null when it is not limited, as every order placed before klend 1.26.',
    }),
    collateralMint: t.expose('collateralMint', {
      type: 'Address',
      nullable: true,
      description:
        'Mint of the collateral that the order is limited to. Null when it is not limited, as every order placed before klend 1.26.',
    }),
    maxBorrowRateBps: t.field({
      type: 'U64',
      nullable: true,
      description:
        'Maximum borrow rate of new debt, in basis points per year. Null for an order that lowers the leverage.',
      resolve: ({ maxBorrowRateBps: bps }) => (bps === null ? null : BigInt(bps)),
    }),
    minTermSeconds: t.field({
      type: 'U64',
      nullable: true,
      description: 'Minimum term of new debt, in seconds. Null for any term.',
      resolve: ({ minDebtTermSeconds: seconds }) => (seconds === null ? null : BigInt(seconds)),
    }),
  }),
});
