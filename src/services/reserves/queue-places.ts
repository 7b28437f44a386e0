import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { missingForTicket, type QueuedTicket } from '../../domain/queue-liquidity.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import { ticketPayment } from '../../domain/ticket-payment.ts';
import { oncePerSession } from '../request/per-session.ts';
import type { ReserveRecord, UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { reserveAmount } from './reserves.ts';
import { paymentBlockOf } from './withdraw-queue.ts';
import { type TicketRecord, ticketsAhead } from './withdraw-tickets.ts';

/** The tickets of a reserve whose turn is not over, the next one to be paid first. */
export interface QueuedTickets {
  readonly tickets: readonly TicketRecord[];
  /** Collateral tokens in the tickets before each, base units, by its number. */
  readonly ahead: ReadonlyMap<bigint, bigint>;
  readonly unreadable: UnreadableAccounts;
}

const ofSession = oncePerSession<QueuedTickets>();

/** Read once per request: one scan of the lending program. */
export function queuedTickets(session: Session, reserve: Address): Promise<QueuedTickets> {
  return ofSession(session, reserve, async () => {
    const { found, unreadable } = await session.ticketsOfReserve(reserve);
    const tickets = found
      .filter((ticket) => ticketsAhead(session.view, ticket) !== null)
      .sort((a, b) => (a.value.sequenceNumber < b.value.sequenceNumber ? -1 : 1));
    const ahead = new Map<bigint, bigint>();
    let queued = 0n;
    for (const { value } of tickets) {
      ahead.set(value.sequenceNumber, queued);
      queued += value.queuedCollateralAmount;
    }
    return { tickets, ahead, unreadable };
  });
}

/** What a ticket waits for. */
export interface TicketPlace {
  /** Value now of what the tickets before it hold. */
  readonly amountAhead: TokenAmount;
  /** Part of it that can be paid now, after those before it. Nothing while payments are blocked. */
  readonly payable: TokenAmount;
  /** Liquidity that must still come in before it can be paid in full. */
  readonly missing: TokenAmount;
}

/** Null when the turn of the ticket is over, or a ticket before it or the reserve cannot be read. */
export async function ticketPlace(session: Session, ticket: TicketRecord): Promise<TicketPlace | null> {
  const { view, work } = session;
  const pause = work.step();
  if (pause !== null) await pause;
  const { value } = ticket;
  const reserve = view.get('reserve', value.reserve);
  const before = ticketsAhead(view, ticket);
  if (reserve === undefined || before === null) return null;
  const ahead = before === 0n ? 0n : await collateralAhead(session, ticket);
  if (ahead === null) return null;
  const accrued = Valuation.of(view).accrued(reserve);
  const queued: QueuedTicket = { ahead, own: value.queuedCollateralAmount };
  return {
    amountAhead: reserveAmount(view, reserve, collateralToLiquidity(accrued, ahead)),
    payable: reserveAmount(view, reserve, payableNow(view, queued, reserve)),
    missing: reserveAmount(view, reserve, missingForTicket(accrued, queued)),
  };
}

/** Base units. Nothing for a payment that the program refuses. */
function payableNow(view: View, { ahead, own }: QueuedTicket, reserve: ReserveRecord): bigint {
  const market = view.get('market', reserve.value.lendingMarket)?.value;
  if (market === undefined || paymentBlockOf(view, reserve) !== null) return 0n;
  const accrued = Valuation.of(view).accrued(reserve);
  const state = { accrued, market, priceSf: reserve.value.liquidity.marketPriceSf };
  const { liquidity, refusal } = ticketPayment(state, own, ahead);
  return refusal === null ? liquidity : 0n;
}

/** Base units. Null when a ticket of the reserve cannot be read: it may be before this one. */
async function collateralAhead(session: Session, { value }: TicketRecord): Promise<bigint | null> {
  const { tickets, ahead, unreadable } = await queuedTickets(session, value.reserve);
  if (unreadable.size > 0) return null;
  const known = ahead.get(value.sequenceNumber);
  if (known !== undefined) return known;
  // Paid or issued between the two scans.
  return tickets
    .filter((each) => each.value.sequenceNumber < value.sequenceNumber)
    .reduce((sum, each) => sum + each.value.queuedCollateralAmount, 0n);
}
