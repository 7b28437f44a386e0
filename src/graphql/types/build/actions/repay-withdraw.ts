import { repayAndWithdrawAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const RepayAndWithdrawInputRef = builder.inputType('RepayAndWithdrawInput', {
  description: 'Input of a repayment with a withdrawal.',
  fields: (t) => ({
    ...loanFields(t),
    repayReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the debt to repay, in that market.',
    }),
    withdrawReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the deposit to withdraw from, in that market. It may be the same one.',
    }),
    repay: t.field({
      type: AmountInputRef,
      required: true,
      description: 'Debt to repay, in tokens of `repayReserve`. `all` is the whole debt.',
    }),
    withdraw: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Deposit to withdraw, in tokens of `withdrawReserve`. `all` is the whole deposit; the program refuses it if the debts that remain need a part of it.',
    }),
  }),
});

export const REPAY_WITHDRAW_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'repayAndWithdraw',
    mutation: 'buildRepayAndWithdraw',
    kind: 'REPAY_AND_WITHDRAW',
    builds:
      'Builds a repayment with a withdrawal in one instruction. It is the only withdrawal that the program allows above the maximum loan-to-value, as long as the loan-to-value does not rise.',
    input: RepayAndWithdrawInputRef,
    actionOf: (source, input, options) =>
      repayAndWithdrawAction(source, {
        wallet: input.wallet,
        market: input.market,
        repayReserve: input.repayReserve,
        withdrawReserve: input.withdrawReserve,
        repay: amountOf(input.repay),
        withdraw: amountOf(input.withdraw),
        ...choiceOf(input.obligation),
        ...options,
      }),
  }),
];
