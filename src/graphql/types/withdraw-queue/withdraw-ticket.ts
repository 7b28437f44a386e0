import { ticketOutlook } from '../../../services/history/ticket-estimates.ts';
import { paginateLive } from '../../../services/paging/paging.ts';
import { queuedTickets, ticketPlace } from '../../../services/reserves/queue-places.ts';
import * as tickets from '../../../services/reserves/withdraw-tickets.ts';
import { builder } from '../../builder.ts';
import { connectionOf, pageArgs } from '../../connections.ts';
import { ReserveRef, WalletRef } from '../../node-refs.ts';
import { reserveFields } from '../reserve/reserve-fields.ts';
import { TokenAmountRef } from '../values/amounts.ts';
import { TicketEstimateRef } from './ticket-estimate.ts';

export const WithdrawTicketStateRef = builder.enumType('WithdrawTicketState', {
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

const UNKNOWN_PLACE =
  'Null when its turn is over, or a ticket before it or the reserve cannot be read; null with an error when the chain cannot be read.';

const WithdrawTicketRef = builder.objectRef<tickets.TicketRecord>('WithdrawTicket').implement({
  description:
    'A place in the withdraw queue of a reserve. Its collateral tokens are exchanged for liquidity in the order of the queue, as far as there is some. A part of it may be paid before the rest.',
  fields: (t) => ({
    address: t.expose('address', { type: 'Address', description: 'Address of the ticket.' }),
    sequenceNumber: t.field({
      type: 'U64',
      description: 'Number of the ticket in the queue of its reserve.',
      resolve: ({ value }) => value.sequenceNumber,
    }),
    owner: t.field({
      type: WalletRef,
      description: 'The wallet that is paid.',
      resolve: ({ value }) => ({ address: value.owner }),
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
    amountAhead: t.field({
      type: TokenAmountRef,
      nullable: true,
      description: `Value now of what the tickets before it hold, in tokens of the reserve. ${UNKNOWN_PLACE}`,
      resolve: async (ticket, _args, { session }) =>
        (await ticketPlace(session, ticket))?.amountAhead ?? null,
    }),
    payable: t.field({
      type: TokenAmountRef,
      nullable: true,
      description:
        'Part of `amount` that the available liquidity pays now, after the tickets before it; anybody may send the transactions. 0 while payments are blocked, for a payment beyond the withdrawal cap of the reserve, and for one in part that would pay or leave less than `Reserve.withdrawQueue.minTicketUsd`. ' +
        UNKNOWN_PLACE,
      resolve: async (ticket, _args, { session }) => (await ticketPlace(session, ticket))?.payable ?? null,
    }),
    estimate: t.field({
      type: TicketEstimateRef,
      nullable: true,
      description:
        'When it is paid, or why that cannot be said. Null, with an error, when the tickets of the reserve cannot be read.',
      resolve: (ticket, _args, { session, platform }) => ticketOutlook(platform, session, ticket),
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
    resolve: ({ address }, page, { session, warnings }, info) =>
      paginateLive(
        {
          key: ['wallet.withdrawTickets', address],
          read: async () => {
            const found = await tickets.withdrawTickets(session, address);
            warnings.leftOut(info, found.unreadable);
            return found.tickets;
          },
          idOf: (ticket) => ticket.address,
        },
        page,
      ),
  }),
}));

builder.objectFields(ReserveRef, (t) => ({
  withdrawTickets: t.field({
    type: WithdrawTicketConnection,
    nullable: true,
    description:
      'Tickets in the withdraw queue whose turn is not over, the next one first. Cancelled ones wait among them to be closed. Null, with an error, when they cannot be read.',
    args: pageArgs(t.arg),
    resolve: ({ address }, page, { session, warnings }, info) =>
      paginateLive(
        {
          key: ['reserve.withdrawTickets', address],
          read: async () => {
            const { tickets: queued, unreadable } = await queuedTickets(session, address);
            warnings.leftOut(info, unreadable);
            return queued;
          },
          idOf: (ticket) => ticket.address,
        },
        page,
      ),
  }),
}));
