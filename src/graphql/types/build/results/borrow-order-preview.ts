import type { BorrowOrderFigures } from '../../../../services/builds/results.ts';
import { builder } from '../../../builder.ts';
import { TokenAmountRef } from '../../values/amounts.ts';
import { ChangeRef } from '../../values/change.ts';
import { amountOf } from './preview-amount.ts';

export const BorrowOrderPreviewRef = builder.objectRef<BorrowOrderFigures>('BorrowOrderPreview').implement({
  description: 'A borrow order before and after an action on it.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Place of the order in the obligation, 0 to 2.' }),
    before: t.exposeString('before', {
      nullable: true,
      description: 'The order before, in one sentence. Null without one.',
    }),
    after: t.exposeString('after', {
      nullable: true,
      description: 'The order after, in one sentence. Null once it is cancelled or filled.',
    }),
    remaining: t.expose('remaining', {
      type: ChangeRef,
      description: 'What is still to be borrowed, in whole tokens. 0 without an order.',
    }),
    received: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: 'Tokens that a fill pays to the owner of the order. Null for other actions.',
      resolve: ({ received }, _args, context) => received && amountOf(received, context),
    }),
    reserves: t.field({
      type: ['Address'],
      description:
        'Reserves whose terms the order accepts; for a fill, the one that is borrowed from. Empty once cancelled.',
      resolve: ({ reserves }) => [...reserves],
    }),
  }),
});
