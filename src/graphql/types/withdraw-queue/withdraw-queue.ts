import {
  type WithdrawQueue,
  type WithdrawQueueBlock,
  withdrawQueue,
} from '../../../services/reserves/withdraw-queue.ts';
import { builder } from '../../builder.ts';
import { ReserveRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';

const WithdrawQueueBlockRef = builder.enumType('WithdrawQueueBlock', {
  description: 'Why the lending program rejects an action on a withdraw queue, whoever acts.',
  values: {
    DISABLED: { description: 'The market does not allow it.' },
    MARKET_EMERGENCY: { description: 'The market is in emergency mode.' },
    RESERVE_EMERGENCY: { description: 'The reserve is in emergency mode.' },
    RESERVE_OBSOLETE: { description: 'The reserve is obsolete.' },
    MARKET_UNKNOWN: { description: 'The market cannot be read, so that nothing is known to be allowed.' },
  } as const satisfies Record<WithdrawQueueBlock, object>,
});

const WithdrawQueueRef = builder.objectRef<WithdrawQueue>('WithdrawQueue').implement({
  description:
    'Withdrawals that wait for liquidity of a reserve. They have the first claim on what is repaid or supplied.',
  fields: (t) => ({
    collateral: t.expose('collateral', {
      type: 'Decimal',
      description: 'Collateral tokens (cTokens) of all tickets, in whole tokens.',
    }),
    amount: t.expose('amount', {
      type: TokenAmountRef,
      description: 'Value of these collateral tokens now, in tokens of the reserve.',
    }),
    tickets: t.expose('tickets', {
      type: 'U64',
      description:
        'Number of tickets whose turn is not over, cancelled ones included. `Reserve.withdrawTickets` lists them.',
    }),
    payable: t.expose('payable', {
      type: TokenAmountRef,
      description:
        'The most of `amount` that can be paid now, from the first ticket on: what the available liquidity and the withdrawal cap of the reserve allow. 0 while payments are blocked. The program rejects some payments in part, so that it may be less: `WithdrawTicket.payable` is exact.',
    }),
    missing: t.expose('missing', {
      type: TokenAmountRef,
      description:
        'Liquidity that must still come in before all of `amount` can be paid. 0 when there is enough.',
    }),
    free: t.expose('free', {
      type: TokenAmountRef,
      description:
        'Liquidity beyond the queue, which anybody can withdraw or borrow now: `Reserve.available`. 0 while the queue claims all liquidity.',
    }),
    minTicketUsd: t.expose('minTicketUsd', {
      type: 'Decimal',
      nullable: true,
      description:
        'Least value in USD of a ticket: of a new one, of what a payment in part pays and leaves, and of what a cancellation in part leaves. Null when the market cannot be read.',
    }),
    issuanceBlock: t.expose('issuanceBlock', {
      type: WithdrawQueueBlockRef,
      nullable: true,
      description: 'Why no tickets are issued now. Null when they are.',
    }),
    paymentBlock: t.expose('paymentBlock', {
      type: WithdrawQueueBlockRef,
      nullable: true,
      description: 'Why no tickets are paid now. Null when they are. An obsolete reserve pays its tickets.',
    }),
    cancellationBlock: t.expose('cancellationBlock', {
      type: WithdrawQueueBlockRef,
      nullable: true,
      description:
        'Why no tickets can be cancelled now. Null when they can. Those of an obsolete reserve can be cancelled.',
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  withdrawQueue: t.field({
    type: WithdrawQueueRef,
    description: 'The withdraw queue of the reserve.',
    resolve: (reserve, _args, { session }) => withdrawQueue(session.view, reserve),
  }),
}));
