import { paginateLive } from '../../../services/paging/paging.ts';
import * as tickets from '../../../services/reserves/withdraw-tickets.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { ReserveRef, WalletRef } from '../../node-refs.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { reserveFields } from './reserve-fields.ts';

const WithdrawTicketStateRef = builder.enumType('WithdrawTicketState', {
  description: 'State of a ticket in a withdraw queue.',
  values: {
    QUEUED: { description: 'Waits for its turn and for liquidity.' },
    CANCELLED: { description: 'Emptied by its owner. It is closed at its turn.' },
    INVALID: {
      description:
        'Passed over because its destination could not be paid. Its collateral tokens can be recovered.',
    },
  } as const satisfies Record<tickets.TicketState, object>,
});

const WithdrawTicketRef = builder.objectRef<tickets.TicketRecord>('WithdrawTicket').implement({
  description:
    'A place in the withdraw queue of a reserve. Its collateral tokens are exchanged for liquidity in the order of the queue, as far as there is some.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the ticket.' }),
    sequenceNumber: t.field({
      type: 'U64',
      description: 'Number of the ticket in the queue of its reserve.',
      resolve: ({ value }) => value.sequenceNumber,
    }),
    ...reserveFields(t, ({ value }) => value.reserve),
    state: t.field({
      type: WithdrawTicketStateRef,
      description: 'State of the ticket.',
      resolve: (ticket) => tickets.ticketState(ticket),
    }),
    collateral: t.field({
      type: 'Decimal',
      description: 'Collateral tokens (cTokens) that wait, in whole tokens.',
      resolve: (ticket, _args, { session }) => tickets.ticketCollateral(session.view, ticket),
    }),
    amount: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Value of the waiting collateral tokens now, in tokens of the reserve. It grows with the interest of the reserve until it is paid. Null when the reserve cannot be read.',
      resolve: (ticket, _args, { session }) => tickets.ticketAmount(session.view, ticket),
    }),
    ticketsAhead: t.field({
      type: 'U64',
      nullable: true,
      description:
        'Number of tickets whose turn comes first, cancelled ones included. Null when its turn is over, or the reserve cannot be read.',
      resolve: (ticket, _args, { session }) => tickets.ticketsAhead(session.view, ticket),
    }),
    destination: t.field({
      type: 'Address',
      description: 'Token account that receives the liquidity.',
      resolve: ({ value }) => value.userDestinationLiquidityTa,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Time when the ticket was issued.',
      resolve: ({ value }) => new Date(Number(value.createdAtTimestamp) * 1000),
    }),
  }),
});

const WithdrawTicketConnection = connectionOf('WithdrawTicket', WithdrawTicketRef);

builder.objectFields(WalletRef, (t) => ({
  withdrawTickets: t.field({
    type: WithdrawTicketConnection,
    nullable: true,
    description:
      'Tickets of the wallet in the withdraw queues of reserves, ordered by address. Null, with an error, when they cannot be read.',
    args: pageArgs(t.arg),
    resolve: async ({ address }, page, { session, warnings }, info) => {
      const found = await tickets.withdrawTickets(session, address);
      warnings.leftOut(info, found.unreadable);
      return paginateLive(
        ['wallet.withdrawTickets', address],
        found.tickets,
        (ticket) => ticket.address,
        page,
      );
    },
  }),
}));

const WithdrawQueueRef = builder.objectRef<tickets.WithdrawQueue>('WithdrawQueue').implement({
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
      description: 'Number of tickets whose turn is not over, cancelled ones included.',
    }),
  }),
});

builder.objectFields(ReserveRef, (t) => ({
  withdrawQueue: t.field({
    type: WithdrawQueueRef,
    description: 'The withdraw queue of the reserve.',
    resolve: (reserve, _args, { session }) => tickets.withdrawQueue(session.view, reserve),
  }),
}));
