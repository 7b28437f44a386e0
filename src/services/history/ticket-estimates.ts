import { Rational } from '@sluice/protocol/numeric/rational';
import { unitsPerToken } from '../../domain/arithmetic.ts';
import { type EstimateState, estimateTicket } from '../../domain/ticket-estimate.ts';
import type { Platform } from '../platform/platform.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import { viewTime } from '../request/time-range.ts';
import { ticketPlace } from '../reserves/queue-places.ts';
import { reserveAmount } from '../reserves/reserves.ts';
import { paymentBlockOf } from '../reserves/withdraw-queue.ts';
import { type TicketRecord, ticketState, ticketsAhead } from '../reserves/withdraw-tickets.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { queueInflow } from './queue-inflow.ts';

export type { EstimateState } from '../../domain/ticket-estimate.ts';

/** When a ticket is paid, or why that cannot be said. */
export interface TicketOutlook {
  readonly state: EstimateState;
  /** Time by which it is paid in full, to the hour; null unless ESTIMATED. */
  readonly paidAt: Date | null;
  /** Liquidity that must still come in; null when its place is unknown. */
  readonly missing: TokenAmount | null;
  readonly inflow: QueueInflow | null;
}

/** Liquidity that came into a reserve while it was recorded. */
export interface QueueInflow {
  readonly from: Date;
  readonly until: Date;
  /** Negative when more went out. */
  readonly perDay: TokenAmount;
}

const HOUR_MS = 3_600_000;

export async function ticketOutlook(
  platform: Platform,
  session: Session,
  ticket: TicketRecord,
): Promise<TicketOutlook> {
  const { view, work } = session;
  const pause = work.step();
  if (pause !== null) await pause;
  const reserve = view.get('reserve', ticket.value.reserve);
  const isWaiting = ticketState(ticket) === 'QUEUED' && ticketsAhead(view, ticket) !== null;
  if (reserve === undefined || !isWaiting) {
    const state = reserve === undefined ? 'PLACE_UNKNOWN' : 'NOT_WAITING';
    return { state, paidAt: null, missing: null, inflow: null };
  }
  const [place, recorded] = await Promise.all([
    ticketPlace(session, ticket),
    queueInflow(platform, session, reserve),
  ]);
  const missing = place?.missing ?? null;
  const { state, seconds } = estimateTicket({
    isWaiting,
    isPaymentBlocked: paymentBlockOf(view, reserve) !== null,
    missing: missing?.amount ?? null,
    isCapped: place?.payable.amount.isZero ?? false,
    inflow: recorded,
  });
  return {
    state,
    paidAt: seconds === null ? null : hourAfter(viewTime(view), seconds),
    missing,
    inflow: recorded ? inflowOf(session, reserve, recorded) : null,
  };
}

/** The end of the hour in which that time lies. */
const hourAfter = (now: Date, seconds: bigint): Date =>
  new Date(Math.ceil((now.getTime() + Number(seconds) * 1_000) / HOUR_MS) * HOUR_MS);

type Recorded = NonNullable<Awaited<ReturnType<typeof queueInflow>>>;

function inflowOf({ view }: Session, reserve: ReserveRecord, { from, until, perDay }: Recorded): QueueInflow {
  const baseUnits = perDay.mul(Rational.of(unitsPerToken(reserve.value.liquidity.mintDecimals)));
  return {
    from: new Date(Number(from) * 1_000),
    until: new Date(Number(until) * 1_000),
    perDay: reserveAmount(view, reserve, baseUnits),
  };
}
