import type { VaultDepositOptions } from '../../../../services/builds/action-options.ts';
import { swapCollateralAction, swapDebtAction } from '../../../../services/builds/actions.ts';
import { swapped } from '../../../../services/builds/quoted-swap.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';
import { QUOTED, SwapInputRef } from './swap-input.ts';

const SwapDebtInputRef = builder.inputType('SwapDebtInput', {
  description: 'Input of a swap of debt.',
  fields: (t) => ({
    ...loanFields(t),
    repayReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the debt to repay, in that market.',
    }),
    borrowReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve to borrow from instead, in that market. It also lends the flash loan.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description: 'Old debt to repay, in tokens of `repayReserve`. `all` is the whole debt.',
    }),
    swap: t.field({
      type: SwapInputRef,
      description:
        'Swap of the new token into the old one. Its `inAmount` is required: it is the flash loan, and the new debt is that with its fee. `minOut` must pay the repayment, with any penalty of an early one. ' +
        QUOTED,
    }),
  }),
});

const SwapCollateralInputRef = builder.inputType('SwapCollateralInput', {
  description: 'Input of a swap of collateral.',
  fields: (t) => ({
    ...loanFields(t),
    withdrawReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the deposit to withdraw from, in that market.',
    }),
    depositReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve to deposit into instead, in that market. It also lends the flash loan.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description: 'Collateral to withdraw, in tokens of `withdrawReserve`. `all` is the whole deposit.',
    }),
    swap: t.field({
      type: SwapInputRef,
      description:
        'Swap of the withdrawn token into the new one. `inAmount` is all that is withdrawn by default. The new deposit is the largest flash loan that `minOut` repays. ' +
        QUOTED,
    }),
  }),
});

type Given = Pick<typeof SwapDebtInputRef.$inferInput, 'wallet' | 'market' | 'amount' | 'obligation'>;

const common = (input: Given, options: VaultDepositOptions) => ({
  wallet: input.wallet,
  market: input.market,
  amount: amountOf(input.amount),
  ...choiceOf(input.obligation),
  ...options,
});

export const POSITION_SWAP_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'swapDebt',
    mutation: 'buildSwapDebt',
    kind: 'SWAP_DEBT',
    builds:
      'Builds a swap of debt: flash loan of the new token, the swap, repayment of the old debt, a borrow of the new token, repayment of the flash loan. What the swap pays beyond the repayment stays in the wallet.',
    input: SwapDebtInputRef,
    actionOf: (source, input, options) =>
      swapped(
        source,
        swapDebtAction(source, {
          ...common(input, options),
          repayReserve: input.repayReserve,
          borrowReserve: input.borrowReserve,
        }),
        input.swap,
      ),
  }),
  actionField({
    name: 'swapCollateral',
    mutation: 'buildSwapCollateral',
    kind: 'SWAP_COLLATERAL',
    builds:
      'Builds a swap of collateral: flash loan of the new token, its deposit, withdrawal of the old one, the swap, repayment of the flash loan. Above the maximum loan-to-value, one instruction deposits and withdraws, and the loan-to-value must not rise. What the swap pays beyond its minimum stays in the wallet.',
    input: SwapCollateralInputRef,
    actionOf: (source, input, options) =>
      swapped(
        source,
        swapCollateralAction(source, {
          ...common(input, options),
          withdrawReserve: input.withdrawReserve,
          depositReserve: input.depositReserve,
        }),
        input.swap,
      ),
  }),
];
