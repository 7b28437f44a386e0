import type { LiquidationFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { LiquidationReasonRef } from '../../obligation/liquidation-reason.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { amountOf } from './preview-amount.ts';

export const LiquidationPreviewRef = builder.objectRef<LiquidationFigures>('LiquidationPreview').implement({
  description: 'Outcome of a liquidation, with the rounding of the program.',
  fields: (t) => ({
    reason: t.expose('reason', { type: LiquidationReasonRef, description: 'Why the program accepts it.' }),
    bonus: t.expose('bonus', {
      type: 'Decimal',
      description: "Bonus of the liquidator, as a fraction of the repaid value, before the protocol's fee.",
    }),
    repaid: t.field({
      type: TokenAmountRef,
      description: 'Debt that the liquidator repays.',
      resolve: ({ repaid }, _args, context) => amountOf(repaid, context),
    }),
    received: t.field({
      type: TokenAmountRef,
      description: "Collateral that the liquidator receives, after the protocol's fee.",
      resolve: ({ received }, _args, context) => amountOf(received, context),
    }),
    collateralTokens: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Collateral tokens that the liquidator keeps because the reserve has too little liquidity to redeem them. Null when all are redeemed.',
      resolve: ({ collateralTokens }, _args, context) =>
        collateralTokens && amountOf(collateralTokens, context),
    }),
    protocolFee: t.field({
      type: TokenAmountRef,
      description: "Share of the bonus that the protocol takes, in the collateral's token.",
      resolve: ({ protocolFee }, _args, context) => amountOf(protocolFee, context),
    }),
    collateral: t.expose('collateral', {
      type: ChangeRef,
      description: 'Deposit of the obligation in the seized reserve, in whole tokens.',
    }),
    debt: t.expose('debt', {
      type: ChangeRef,
      description: 'Debt of the obligation in the repaid reserve, in whole tokens.',
    }),
    profitUsd: t.expose('profitUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        "Value received less value repaid, in USD at the program's prices, before transaction fees. Null when a price is unknown.",
    }),
  }),
});
