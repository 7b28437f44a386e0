import {
  cancelBorrowOrderAction,
  fillBorrowOrderAction,
  setBorrowOrderAction,
} from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, BuildOptionsRef, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const SetBorrowOrderInputRef = builder.inputType('SetBorrowOrderInput', {
  description: 'Input of a borrow order, new or changed.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation that owes what is borrowed.'),
    mint: t.field({
      type: 'Address',
      required: true,
      description: 'Mint of the token to borrow, which cannot be changed later.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Amount to borrow from now on, worth at least the minimum of the market. `all` is not possible.',
    }),
    maxBorrowRateBps: t.int({
      required: true,
      description:
        'Maximum borrow rate, in basis points per year. The highest rate of a reserve must not be above it, whatever the reserve charges now.',
    }),
    minTermSeconds: t.field({
      type: 'U64',
      description:
        'Minimum term of the debt, in seconds. Debts without a term are accepted too. Defaults to 0: debts without a term only.',
    }),
    fillableUntil: t.field({
      type: 'DateTime',
      required: true,
      description: 'Time until which the order can be filled, to the second.',
    }),
    autoRollover: t.boolean({
      description:
        'Whether a debt that the order opens rolls over at the end of its term, on the terms of the order or to a debt without a term. Defaults to false.',
    }),
    index: t.int({
      description:
        'Place of the order in the obligation, 0 to 2. An order that is there is changed. Defaults to the first free place.',
    }),
  }),
});

const CancelBorrowOrderInputRef = builder.inputType('CancelBorrowOrderInput', {
  description: 'Input of a cancellation of a borrow order.',
  fields: (t) => ({
    ...loanFields(t, 'Obligation of the order.'),
    index: t.int({ required: true, description: 'Place of the order in the obligation, 0 to 2.' }),
  }),
});

const FillBorrowOrderInputRef = builder.inputType('FillBorrowOrderInput', {
  description: 'Input of a fill of a borrow order.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'Wallet that fills the order: it signs the transaction, and pays its fee unless there is another fee payer. It need not own the obligation, and receives nothing.',
    }),
    obligation: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the obligation of the order.',
    }),
    index: t.int({ required: true, description: 'Place of the order in the obligation, 0 to 2.' }),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of the reserve to borrow from. `BorrowOrder.reserves` compares them.',
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

const secondsOf = (date: Date): bigint => BigInt(Math.floor(date.getTime() / 1000));

export const BORROW_ORDER_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'setBorrowOrder',
    mutation: 'buildSetBorrowOrder',
    kind: 'SET_BORROW_ORDER',
    builds:
      'Builds a borrow order, new or changed: once a reserve meets its terms, anyone may borrow for the owner, who receives the tokens in their own token account, without a further signature. A change fails when the order was filled in the meantime.',
    input: SetBorrowOrderInputRef,
    actionOf: (source, { wallet, market, obligation, amount, index, ...order }) =>
      setBorrowOrderAction(source, {
        wallet,
        market,
        ...choiceOf(obligation),
        mint: order.mint,
        amount: amountOf(amount),
        maxBorrowRateBps: order.maxBorrowRateBps,
        minTermSeconds: order.minTermSeconds ?? 0n,
        fillableUntil: secondsOf(order.fillableUntil),
        autoRollover: order.autoRollover ?? false,
        ...(typeof index === 'number' ? { index } : {}),
      }),
  }),
  actionField({
    name: 'cancelBorrowOrder',
    mutation: 'buildCancelBorrowOrder',
    kind: 'CANCEL_BORROW_ORDER',
    builds: 'Builds a cancellation of a borrow order.',
    input: CancelBorrowOrderInputRef,
    actionOf: (source, { wallet, market, obligation, index }) =>
      cancelBorrowOrderAction(source, { wallet, market, ...choiceOf(obligation), index }),
  }),
  actionField({
    name: 'fillBorrowOrder',
    mutation: 'buildFillBorrowOrder',
    kind: 'FILL_BORROW_ORDER',
    builds:
      'Builds a fill of a borrow order: as much of it as collateral, borrow limit and liquidity allow is borrowed from the reserve and paid to the owner of the obligation. Anyone may send it.',
    input: FillBorrowOrderInputRef,
    actionOf: (source, { wallet, obligation, index, reserve }) =>
      fillBorrowOrderAction(source, { wallet, obligation, index, reserve }),
  }),
];
