import type { VaultDepositOptions } from '../../../../services/builds/action-options.ts';
import {
  deleverageAction,
  multiplyAction,
  repayWithCollateralAction,
} from '../../../../services/builds/actions.ts';
import { swapped } from '../../../../services/builds/quoted-swap.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, choiceOf } from './build-inputs.ts';
import { loanFields } from './loan-fields.ts';
import { QUOTED, SwapInputRef } from './swap-input.ts';

const MULTIPLY_LOAN = [
  'Obligation to use, with the tag MULTIPLY or LEVERAGE.',
  'MULTIPLY with id 0 and the two mints as seeds',
] as const;

const MultiplyInputRef = builder.inputType('MultiplyInput', {
  description: 'Input of a leveraged deposit.',
  fields: (t) => ({
    ...loanFields(t, ...MULTIPLY_LOAN),
    collateralReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve to deposit into, in that market.',
    }),
    debtReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve to borrow from, in that market. It also lends the flash loan.',
    }),
    deposit: t.field({
      type: AmountInputRef,
      description:
        'Collateral tokens of the wallet to deposit with those of the swap. Omit it to deposit only those of the swap.',
    }),
    borrow: t.field({
      type: AmountInputRef,
      required: true,
      description:
        'Debt tokens to borrow. They repay the flash loan and its fee; any excess stays in the wallet. `all` is not accepted.',
    }),
    swap: t.field({
      type: SwapInputRef,
      description:
        'Swap of the flash loan into the collateral token. `inAmount` is the flash loan; by default the largest that `borrow` repays. ' +
        QUOTED,
    }),
  }),
});

const unwinding = (
  name: string,
  description: string,
  amount: string,
  swap: string,
  loan: readonly [] | typeof MULTIPLY_LOAN = [],
) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      ...loanFields(t, ...loan),
      collateralReserve: t.field({
        type: 'Address',
        required: true,
        description: 'Reserve of the deposit to withdraw from, in that market.',
      }),
      debtReserve: t.field({
        type: 'Address',
        required: true,
        description: 'Reserve of the debt to repay, in that market. It also lends the flash loan.',
      }),
      amount: t.field({ type: AmountInputRef, required: true, description: amount }),
      swap: t.field({ type: SwapInputRef, description: `${swap} ${QUOTED}` }),
    }),
  });

const DeleverageInputRef = unwinding(
  'DeleverageInput',
  'Input of a repayment that lowers the leverage of an obligation.',
  'Debt tokens to repay. `all` repays the whole debt, withdraws all collateral of the reserve and so closes the position.',
  'Swap of the withdrawn collateral into the debt token. `inAmount` of collateral is withdrawn for it; it may be omitted when everything is withdrawn.',
  MULTIPLY_LOAN,
);

const RepayWithCollateralInputRef = unwinding(
  'RepayWithCollateralInput',
  'Input of a repayment with collateral.',
  'Debt tokens to repay. `all` is the whole debt; the rest of the collateral stays.',
  'Swap of the withdrawn collateral into the debt token. Its `inAmount` is required: so much collateral is withdrawn for it.',
);

type Given = Pick<
  typeof DeleverageInputRef.$inferInput,
  'wallet' | 'market' | 'collateralReserve' | 'debtReserve' | 'obligation'
>;

const common = (input: Given, options: VaultDepositOptions) => ({
  wallet: input.wallet,
  market: input.market,
  collateralReserve: input.collateralReserve,
  debtReserve: input.debtReserve,
  ...choiceOf(input.obligation),
  ...options,
});

export const LEVERAGE_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'multiply',
    mutation: 'buildMultiply',
    kind: 'MULTIPLY',
    builds:
      'Builds a leveraged deposit: flash loan of the debt token, the swap, a deposit of own tokens and the minimum out, a borrow, repayment of the flash loan. What the swap pays beyond its minimum stays in the wallet.',
    input: MultiplyInputRef,
    actionOf: (source, input, options) =>
      swapped(
        source,
        multiplyAction(source, {
          ...common(input, options),
          deposit: input.deposit ? amountOf(input.deposit) : null,
          borrow: amountOf(input.borrow),
        }),
        input.swap,
      ),
  }),
  actionField({
    name: 'deleverage',
    mutation: 'buildDeleverage',
    kind: 'DELEVERAGE',
    builds:
      'Builds a repayment that lowers the leverage: flash loan of the debt token, repayment, withdrawal of collateral, the swap, repayment of the flash loan. All of the debt closes the position.',
    input: DeleverageInputRef,
    actionOf: (source, input, options) =>
      swapped(
        source,
        deleverageAction(source, { ...common(input, options), amount: amountOf(input.amount) }),
        input.swap,
      ),
  }),
  actionField({
    name: 'repayWithCollateral',
    mutation: 'buildRepayWithCollateral',
    kind: 'REPAY_WITH_COLLATERAL',
    builds:
      'Builds a repayment with collateral: flash loan of the debt token, repayment, withdrawal of collateral, the swap, repayment of the flash loan.',
    input: RepayWithCollateralInputRef,
    actionOf: (source, input, options) =>
      swapped(
        source,
        repayWithCollateralAction(source, { ...common(input, options), amount: amountOf(input.amount) }),
        input.swap,
      ),
  }),
];
