import type { Rational } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import type { View } from '../../chain/view/view.ts';
import { collateralToLiquidity } from '../../domain/reserve.ts';
import type { RecordOf, UnreadableAccounts } from '../request/records.ts';
import type { Session } from '../request/session.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { Valuation } from '../tokens/valuation.ts';
import { reserveAmount, wholeCollateral } from './reserves.ts';

export type TicketRecord = RecordOf<'withdrawTicket'>;

export type TicketState = 'QUEUED' | 'CANCELLED' | 'INVALID';

/** The wallet's tickets in the withdraw queues of reserves, by address, and those that cannot be read. */
export async function withdrawTickets(
  session: Session,
  wallet: Address,
): Promise<{ readonly tickets: TicketRecord[]; readonly unreadable: UnreadableAccounts }> {
  const { found, unreadable } = await session.withdrawTicketsOf(wallet);
  return { tickets: found.sort((a, b) => (a.address < b.address ? -1 : 1)), unreadable };
}

export function ticketState({ value }: TicketRecord): TicketState {
  if (value.invalid !== 0) return 'INVALID';
  return value.queuedCollateralAmount === 0n ? 'CANCELLED' : 'QUEUED';
}

/** Whether it is worth something: a cancelled ticket holds nothing, whatever is known of its reserve. */
export const holdsCollateral = ({ value }: TicketRecord): boolean => value.queuedCollateralAmount !== 0n;

/** Whole collateral tokens that wait in the queue. */
export function ticketCollateral(view: View, { value }: TicketRecord): Rational {
  return wholeCollateral(view, view.get('reserve', value.reserve), value.queuedCollateralAmount);
}

/** Present value of the queued collateral tokens. Null when the reserve cannot be read. */
export function ticketAmount(view: View, { value }: TicketRecord): TokenAmount | null {
  const reserve = view.get('reserve', value.reserve);
  if (reserve === undefined) return null;
  const liquidity = collateralToLiquidity(Valuation.of(view).accrued(reserve), value.queuedCollateralAmount);
  return reserveAmount(view, reserve, liquidity);
}

/** Tickets that are paid before this one, cancelled ones included. Null once its turn is over, or when it is unknown. */
export function ticketsAhead(view: View, { value }: TicketRecord): bigint | null {
  const queue = view.get('reserve', value.reserve)?.value.withdrawQueue;
  if (queue === undefined) return null;
  const ahead = value.sequenceNumber - queue.nextWithdrawableTicketSequenceNumber;
  return ahead < 0n ? null : ahead;
}
