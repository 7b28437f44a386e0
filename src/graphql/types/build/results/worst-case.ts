import { integer } from '@sluice/protocol/numeric/rational';
import type { WorstCase } from '../../../../services/builds/results.ts';
import { denominationOf, tokenAmount } from '../../../../services/tokens/amounts.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';

export const WorstCaseRef = builder.objectRef<WorstCase>('WorstCase').implement({
  description:
    'A position when the swap pays no more than its minimum out. The transaction never relies on more, so the position is the same in any case; a better swap leaves more in the wallet.',
  fields: (t) => ({
    healthFactor: t.expose('healthFactor', {
      type: 'Decimal',
      nullable: true,
      description: 'Health factor of the obligation. Null without debt, and when a price is unknown.',
    }),
    loanToValue: t.expose('loanToValue', {
      type: 'Decimal',
      nullable: true,
      description:
        'Loan-to-value of the obligation as the lending program computes it: debt adjusted by borrow factors / all deposits, as a fraction. Null when a price is unknown.',
    }),
    netValueUsd: t.expose('netValueUsd', {
      type: 'Decimal',
      nullable: true,
      description: 'Deposits less debts, in USD. Null when a price is unknown.',
    }),
    leverage: t.expose('leverage', {
      type: 'Decimal',
      nullable: true,
      description: 'Deposits / net value. Null when a price is unknown.',
    }),
    netApy: t.expose('netApy', {
      type: 'Decimal',
      nullable: true,
      description:
        'Net yield per year on the net value, as a fraction, as `Obligation.netApy`: with all rewards, diluted by the action. Null when a price is unknown.',
    }),
    liquidationPriceUsd: t.expose('liquidationPriceUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Price of the collateral at which the obligation can be liquidated, in USD; that of the new token for a swap of debt or collateral. Null without debt or collateral, and when a price is unknown.',
    }),
    swapLossUsd: t.expose('swapLossUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Value that the swap loses at the prices of the oracle, in USD; negative for a gain. Null when a price is unknown.',
    }),
    walletChanges: t.field({
      type: [TokenAmountRef],
      description:
        'Amounts that the wallet gains, or pays when negative: the collateral token, then the debt token; for a swap of debt or collateral the old token, then the new one. Without rent and transaction fees.',
      resolve: ({ walletChanges }, _args, { session }) =>
        walletChanges.map(({ mint, decimals, amount }) =>
          tokenAmount(session.view, denominationOf(session.view, mint, decimals), integer(amount)),
        ),
    }),
  }),
});
