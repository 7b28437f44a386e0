import { lendingAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';

const LendingActionInputRef = builder.inputType('LendingActionInput', {
  description: 'Input of a lending action.',
  fields: (t) => ({
    ...loanFields(t),
    reserve: t.field({
      type: 'Address',
      required: true,
      description: 'Address of a reserve in that market.',
    }),
    amount: t.field({ type: AmountInputRef, required: true, description: 'Amount of the action.' }),
  }),
});

const ACTIONS = [
  {
    action: 'deposit',
    name: 'lendingDeposit',
    mutation: 'buildLendingDeposit',
    kind: 'LENDING_DEPOSIT',
    builds: 'Builds a deposit into a reserve.',
  },
  {
    action: 'borrow',
    name: 'lendingBorrow',
    mutation: 'buildLendingBorrow',
    kind: 'LENDING_BORROW',
    builds: 'Builds a borrow from a reserve.',
  },
  {
    action: 'repay',
    name: 'lendingRepay',
    mutation: 'buildLendingRepay',
    kind: 'LENDING_REPAY',
    builds: 'Builds a repayment of a debt to a reserve.',
  },
  {
    action: 'withdraw',
    name: 'lendingWithdraw',
    mutation: 'buildLendingWithdraw',
    kind: 'LENDING_WITHDRAW',
    builds: 'Builds a withdrawal of a deposit from a reserve.',
  },
] as const;

export const LENDING_FIELDS: readonly ActionField[] = ACTIONS.map(({ action, ...declaration }) =>
  actionField({
    ...declaration,
    input: LendingActionInputRef,
    actionOf: (source, { wallet, market, reserve, amount, obligation }, options) =>
      lendingAction(source, {
        action,
        wallet,
        market,
        reserve,
        amount: amountOf(amount),
        ...choiceOf(obligation),
        ...options,
      }),
  }),
);
