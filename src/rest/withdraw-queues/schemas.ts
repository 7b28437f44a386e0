import { z } from '@hono/zod-openapi';
import type { EstimateState } from '../../services/history/ticket-estimates.ts';
import type { WithdrawQueueBlock } from '../../services/reserves/withdraw-queue.ts';
import type { TicketState } from '../../services/reserves/withdraw-tickets.ts';
import { address, addressOut } from '../values/address.ts';
import { dateOut } from '../values/date.ts';
import { decimalOut, integerOut } from '../values/decimal.ts';
import { nextToken, paginationToken } from '../values/pagination.ts';
import { onceInteger } from '../values/query-values.ts';

const MAX_LIMIT = 100;

export const QueueParams = z.object({ pubkey: address('Address of the reserve.') });

export const QueueQuery = z.object({
  limit: onceInteger(1, MAX_LIMIT, MAX_LIMIT, 'Tickets per page.'),
  paginationToken: paginationToken(),
});

const STATES = ['QUEUED', 'CANCELLED', 'INVALID'] as const satisfies readonly TicketState[];
const BLOCKS = [
  'DISABLED',
  'MARKET_EMERGENCY',
  'RESERVE_EMERGENCY',
  'RESERVE_OBSOLETE',
  'MARKET_UNKNOWN',
] as const satisfies readonly WithdrawQueueBlock[];
const ESTIMATES = [
  'ESTIMATED',
  'PAYABLE_NOW',
  'OUTFLOW_CAP',
  'NOT_WAITING',
  'PAYMENTS_BLOCKED',
  'PLACE_UNKNOWN',
  'HISTORY_UNAVAILABLE',
  'HISTORY_TOO_SHORT',
  'NO_INFLOW',
  'TOO_FAR',
] as const satisfies readonly EstimateState[];

const Estimate = z
  .strictObject({
    state: z.enum(ESTIMATES).openapi({
      description:
        'ESTIMATED, or why there is no estimate. PAYABLE_NOW: the available liquidity pays it in full. OUTFLOW_CAP: it would, but for the withdrawal cap of the reserve in this interval. NOT_WAITING: cancelled, or its turn is over. PAYMENTS_BLOCKED: no ticket of the reserve is paid. PLACE_UNKNOWN: the reserve, or a ticket before it, cannot be read. HISTORY_UNAVAILABLE: no history. HISTORY_TOO_SHORT: less than a day of it since nothing is free in the reserve. NO_INFLOW: no more came in than went out. TOO_FAR: more than 90 days.',
    }),
    paidAt: dateOut('Time by which it is paid in full, to the hour. Absent unless ESTIMATED.').optional(),
    missingAmount: decimalOut(
      'Liquidity that must still come in before it can be paid in full, in whole tokens. Absent for NOT_WAITING and PLACE_UNKNOWN.',
    ).optional(),
    inflowPerDay: decimalOut(
      'Liquidity that came in per day since nothing is free in the reserve, at most over the last 7 days, in whole tokens. At least as much did. Negative when more went out. Absent when that is unknown.',
    ).optional(),
  })
  .openapi('WithdrawTicketEstimate', {
    description:
      'When the ticket is paid, if as much liquidity keeps coming in as since nothing is free in the reserve, at most over the last 7 days, and somebody sends the payments.',
  });

/** What a ticket is, and what it waits for. */
export const ticketFields = {
  ticket: addressOut('Address of the ticket.'),
  sequenceNumber: integerOut('Number of the ticket in the queue of its reserve.'),
  state: z.enum(STATES).openapi({
    description:
      'QUEUED: waits for its turn. CANCELLED: emptied by its owner. INVALID: passed over, because its destination could not be paid.',
  }),
  createdOn: dateOut('Time when the ticket was issued.'),
  collateralAmount: decimalOut('Collateral tokens (cTokens) that wait, in whole tokens.'),
  amount: decimalOut('Present worth of the collateral tokens, in whole tokens of the reserve.'),
  value: decimalOut('Value in USD. Absent when no price is known.').optional(),
  ticketsAhead: integerOut(
    'Number of tickets whose turn comes first. Absent when its turn is over, or the reserve cannot be read.',
  ).optional(),
  amountAhead: decimalOut(
    'Present worth of what these tickets hold, in whole tokens of the reserve. Absent when its turn is over, or one of them cannot be read.',
  ).optional(),
  payableAmount: decimalOut(
    'Part of `amount` that the available liquidity pays now, after the tickets before it. Absent where `amountAhead` is.',
  ).optional(),
  estimate: Estimate,
};

const QueueTicket = z
  .strictObject({ ...ticketFields, owner: addressOut('Wallet that is paid.') })
  .openapi('WithdrawQueueTicket');

const block = (what: string) =>
  z
    .enum(BLOCKS)
    .nullable()
    .openapi({
      description: `Why ${what}. Null when they are. DISABLED: the market does not allow it. MARKET_UNKNOWN: the market cannot be read.`,
    });

export const WithdrawQueue = z
  .strictObject({
    reserve: addressOut('Address of the reserve.'),
    mint: addressOut('Mint of its token.'),
    symbol: z.string().openapi({ description: 'Ticker of the token.' }),
    tickets: integerOut('Number of tickets whose turn is not over, cancelled ones included.'),
    collateralAmount: decimalOut('Collateral tokens (cTokens) of all tickets, in whole tokens.'),
    amount: decimalOut('Present worth of the collateral tokens, in whole tokens. So are the next three.'),
    payableAmount: decimalOut(
      'Part of `amount` that the available liquidity pays now. 0 while payments are blocked.',
    ),
    missingAmount: decimalOut('Liquidity that must still come in before all of it can be paid.'),
    freeAmount: decimalOut('Liquidity beyond the queue. 0 while the queue claims all liquidity.'),
    value: decimalOut('Value of `amount` in USD. Absent when no price is known.').optional(),
    minTicketUsd: decimalOut(
      'Least value in USD of a ticket, and of a payment in part. Absent when the market cannot be read.',
    ).optional(),
    issuanceBlock: block('no tickets are issued now'),
    paymentBlock: block('no tickets are paid now'),
    cancellationBlock: block('no tickets are cancelled now'),
    queue: z.array(QueueTicket).openapi({ description: 'Tickets, the next one to be paid first.' }),
    paginationToken: nextToken(),
  })
  .openapi('WithdrawQueue');
