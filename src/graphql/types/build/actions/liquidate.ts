import { liquidateAction } from '../../../../services/builds/actions.ts';
import { builder } from '../../../builder.ts';
import { type ActionField, actionField } from './action-field.ts';
import { AmountInputRef, amountOf, BuildOptionsRef } from './build-inputs.ts';

const LiquidateInputRef = builder.inputType('LiquidateInput', {
  description: 'Input of a liquidation.',
  fields: (t) => ({
    wallet: t.field({
      type: 'Address',
      required: true,
      description:
        'The liquidator, who repays the debt, receives the collateral, signs the transaction and pays its fee unless there is another fee payer.',
    }),
    obligation: t.field({
      type: 'Address',
      required: true,
      description: "Address of the obligation to liquidate. It may be anyone's.",
    }),
    repayReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the debt to repay.',
    }),
    withdrawReserve: t.field({
      type: 'Address',
      required: true,
      description: 'Reserve of the collateral to receive.',
    }),
    amount: t.field({
      type: AmountInputRef,
      required: true,
      description: 'Debt to repay, at most. `all` is as much as the program allows at once.',
    }),
    minCollateral: t.field({
      type: 'Decimal',
      description:
        "Least collateral to receive after the protocol's fee, in whole tokens of the collateral. The program rejects the liquidation otherwise. No minimum by default.",
    }),
    options: t.field({ type: BuildOptionsRef, description: 'Options of the build.' }),
  }),
});

export const LIQUIDATE_FIELDS: readonly ActionField[] = [
  actionField({
    name: 'liquidate',
    mutation: 'buildLiquidate',
    kind: 'LIQUIDATE',
    builds:
      'Builds a liquidation: repays a debt of an unhealthy obligation, or a debt that has ended, and receives collateral with a bonus.',
    input: LiquidateInputRef,
    actionOf: (
      source,
      { wallet, obligation, repayReserve, withdrawReserve, amount, minCollateral },
      options,
    ) =>
      liquidateAction(source, {
        wallet,
        obligation,
        repayReserve,
        withdrawReserve,
        amount: amountOf(amount),
        ...(minCollateral ? { minCollateral } : {}),
        ...options,
      }),
  }),
];
