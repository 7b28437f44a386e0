import type { QuoteFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { amountOf } from './preview-amount.ts';

export const QuotePreviewRef = builder.objectRef<QuoteFigures>('QuotePreview').implement({
  description: 'Quote of a swap that this deployment added, because the caller supplied none.',
  fields: (t) => ({
    router: t.expose('router', { type: 'Address', description: 'Program that executes the swap.' }),
    sold: t.field({
      type: TokenAmountRef,
      description: 'Amount that the swap spends.',
      resolve: ({ sold }, _args, context) => amountOf(sold, context),
    }),
    expected: t.field({
      type: TokenAmountRef,
      description: 'Amount that the swap pays at the price of the quote.',
      resolve: ({ expected }, _args, context) => amountOf(expected, context),
    }),
    guaranteed: t.field({
      type: TokenAmountRef,
      description:
        'Least amount that the swap pays; it fails otherwise. The action relies on no more, and what exceeds it stays in the wallet.',
      resolve: ({ guaranteed }, _args, context) => amountOf(guaranteed, context),
    }),
    slippage: t.expose('slippage', {
      type: 'Decimal',
      description: 'Part of the expected amount that is not guaranteed, as a fraction.',
    }),
    priceImpact: t.expose('priceImpact', {
      type: 'Decimal',
      description:
        'Part of the value that the swap loses at the price of the quote and the prices of the oracle, as a fraction; negative for a gain. Slippage comes on top of it.',
    }),
  }),
});
