import type { WatchedCondition } from '../../../../services/builds/actions.ts';
import { cancelOrderAction, setOrderAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const WatchedConditionRef = builder.enumType('WatchedCondition', {
  description: 'What an order of an obligation watches.',
  values: {
    LTV_ABOVE: { description: 'The loan-to-value rises above the threshold: a stop-loss.' },
    LTV_BELOW: { description: 'The loan-to-value falls below the threshold: a take-profit.' },
    PRICE_RATIO_ABOVE: {
      description:
        'The price of the debt token in collateral tokens rises above the threshold: a stop-loss for an obligation with one deposit and one debt.',
    },
    PRICE_RATIO_BELOW: {
      description:
        'The price of the debt token in collateral tokens falls below the threshold: a take-profit for an obligation with one deposit and one debt.',
    },
    LIQUIDATION_LTV_CLOSER_THAN: {
      description: 'The loan-to-value comes closer to liquidation than the threshold: a stop-loss.',
    },
  } as const satisfies Record<WatchedCondition, object>,
});

const SetOrderInputRef = builder.inputType('SetObligationOrderInput', {
  description: 'Input of a stop-loss or take-profit order.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation of the order.'),
    condition: t.field({
      type: WatchedConditionRef,
      required: true,
      description: 'What the order watches.',
    }),
    threshold: t.field({
      type: 'Decimal',
      required: true,
      description:
        'Threshold of the condition: a loan-to-value or a distance to liquidation as a fraction, from "0.01" to below "1", or a ratio of prices.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Debt that is repaid at most, in tokens of the only debt; `all` repays every debt. The executor pays it and receives collateral of the same value and the bonus.',
    }),
    minBonusBps: t.int({
      required: true,
      description: 'Bonus of the executor at the threshold, in basis points of the repaid value, 0 to 1000.',
    }),
    maxBonusBps: t.int({
      required: true,
      description:
        'Largest bonus of the executor, in basis points, up to 1000. The bonus grows from the minimum with the distance from the threshold, up to this at liquidation, or for a take-profit at zero.',
    }),
    index: t.int({
      description:
        'Place of the order in the obligation, 0 or 1. An order that is there is replaced. Defaults to the first empty place.',
    }),
  }),
});

const CancelOrderInputRef = builder.inputType('CancelObligationOrderInput', {
  description: 'Input of a cancellation of an order.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation of the order.'),
    index: t.int({ required: true, description: 'Place of the order in the obligation, 0 or 1.' }),
  }),
});

export const ORDER_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'setObligationOrder',
    mutation: 'buildSetObligationOrder',
    kind: 'SET_OBLIGATION_ORDER',
    builds:
      'Builds a stop-loss or take-profit order: once its condition holds, anyone may repay debt of the obligation for collateral and a bonus, without a signature of the owner. An order that can never trigger is refused. The program removes all orders with the last debt.',
    input: SetOrderInputRef,
    actionOf: (source, { wallet, market, obligation, amount, index, ...order }) =>
      setOrderAction(source, {
        wallet,
        market,
        ...choiceOf(obligation),
        condition: order.condition,
        threshold: order.threshold,
        amount: amountOf(amount),
        minBonusBps: order.minBonusBps,
        maxBonusBps: order.maxBonusBps,
        ...(typeof index === 'number' ? { index } : {}),
      }),
  }),
  actionField({
    name: 'cancelObligationOrder',
    mutation: 'buildCancelObligationOrder',
    kind: 'CANCEL_OBLIGATION_ORDER',
    builds: 'Builds a cancellation of an order of an obligation.',
    input: CancelOrderInputRef,
    actionOf: (source, { wallet, market, obligation, index }) =>
      cancelOrderAction(source, { wallet, market, ...choiceOf(obligation), index }),
  }),
];
