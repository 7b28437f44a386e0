import type { z } from '@hono/zod-openapi';
import { ticketOutlook } from '../../services/history/ticket-estimates.ts';
import { ticketPlace } from '../../services/reserves/queue-places.ts';
import * as tickets from '../../services/reserves/withdraw-tickets.ts';
import type { Call } from '../operation/operation.ts';
import type { AnswerOf } from '../operation/unknown-values.ts';
import { decimal } from '../values/decimal.ts';
import type { ticketFields } from './schemas.ts';

type TicketFields = AnswerOf<z.ZodObject<typeof ticketFields>>;

/** What a ticket is, and what it waits for. */
export async function ticketAnswer(
  { session, platform }: Pick<Call, 'session' | 'platform'>,
  ticket: tickets.TicketRecord,
): Promise<TicketFields> {
  const { view } = session;
  const [place, outlook] = await Promise.all([
    ticketPlace(session, ticket),
    ticketOutlook(platform, session, ticket),
  ]);
  const { state, paidAt, missing, inflow } = outlook;
  const amount = tickets.ticketAmount(view, ticket);
  const ahead = tickets.ticketsAhead(view, ticket);
  return {
    ticket: ticket.address,
    sequenceNumber: String(ticket.value.sequenceNumber),
    state: tickets.ticketState(ticket),
    createdOn: new Date(Number(ticket.value.createdAtTimestamp) * 1000).toISOString(),
    collateralAmount: decimal(tickets.ticketCollateral(view, ticket)),
    amount: decimal(amount?.amount),
    ...(amount?.usd ? { value: decimal(amount.usd) } : {}),
    ...(ahead === null ? {} : { ticketsAhead: String(ahead) }),
    ...(place === null
      ? {}
      : { amountAhead: decimal(place.amountAhead.amount), payableAmount: decimal(place.payable.amount) }),
    estimate: {
      state,
      ...(paidAt === null ? {} : { paidAt: paidAt.toISOString() }),
      ...(missing === null ? {} : { missingAmount: decimal(missing.amount) }),
      ...(inflow === null ? {} : { inflowPerDay: decimal(inflow.perDay.amount) }),
    },
  };
}
