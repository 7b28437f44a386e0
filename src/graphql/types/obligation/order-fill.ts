import { type OrderFill, orderFills } from '../../../services/history/obligations/order-fills.ts';
import { timelineOf } from '../../../services/history/obligations/timeline.ts';
import { builder } from '../../builder.ts';
import { ObligationRef } from '../../node-refs.ts';
import { NO_HISTORY } from '../history/history-fields.ts';
import { LendingTransactionRef } from './lending-transaction.ts';

const BorrowOrderFillRef = builder.objectRef<OrderFill>('BorrowOrderFill').implement({
  description: 'A borrow that filled a borrow order, or a part of it.',
  fields: (t) => ({
    isFull: t.exposeBoolean('isFull', { description: 'Whether nothing was left of the order.' }),
    transaction: t.expose('transaction', {
      type: LendingTransactionRef,
      description: 'The borrow. Its `liquidity` is what the owner of the order received.',
    }),
  }),
});

builder.objectFields(ObligationRef, (t) => ({
  borrowOrderFills: t.field({
    type: [BorrowOrderFillRef],
    nullable: true,
    description: `Fills of the open borrow orders, oldest first. Without an open order, those of the last one if it was filled completely; an order that was cancelled or has expired leaves none. The first request for an obligation reads its transactions from the chain. ${NO_HISTORY}`,
    resolve: async (record, _args, { platform, session }) =>
      orderFills(session, await timelineOf(platform, session, record)),
  }),
}));
