import { COLLATERAL_DECIMALS } from '@sluice/protocol/klend/reserve';
import { integer } from '@sluice/protocol/numeric/rational';
import type { Address } from '@solana/kit';
import { toTokens } from '../../domain/arithmetic.ts';
import { collateralWorth, type QueueState, ticketsBefore } from '../../domain/ticket-payment.ts';
import type { Change, PreviewAmount, QueueFigures, TicketStateAfter } from '../preview.ts';
import type { QueueAccounts } from './accounts.ts';

/** A ticket before and after an action. */
export interface TicketChange {
  readonly address: Address;
  readonly number: bigint;
  readonly destination: Address;
  /** Collateral tokens, base units; 0 before it is issued and after it is closed. */
  readonly before: bigint;
  readonly after: bigint;
  /** Null when the action closes it. */
  readonly state: TicketStateAfter | null;
}

type Moved = Pick<QueueFigures, 'paid' | 'returned' | 'rent'>;

const NOTHING_MOVED: Moved = { paid: null, returned: null, rent: null };

/** The figures of a preview for a ticket. */
export function ticketFigures(
  { reserve, owner }: QueueAccounts,
  { accrued }: QueueState,
  { address, number, destination, before, after, state }: TicketChange,
  moved: Partial<Moved>,
): QueueFigures {
  const change = (figure: (collateral: bigint) => Change['before']): Change => ({
    before: figure(before),
    after: figure(after),
  });
  return {
    ...NOTHING_MOVED,
    ticket: address,
    sequenceNumber: number,
    owner,
    destination,
    ticketsAhead: ticketsBefore(reserve, number),
    state,
    collateral: change((units) => toTokens(integer(units), COLLATERAL_DECIMALS)),
    tokens: change((units) =>
      toTokens(integer(collateralWorth(accrued, units)), reserve.liquidity.mintDecimals),
    ),
    ...moved,
  };
}

/** An amount of the reserve's token. */
export const liquidityAmount = (
  { reserve: { liquidity } }: QueueAccounts,
  amount: bigint,
): PreviewAmount => ({
  mint: liquidity.mintPubkey,
  decimals: Number(liquidity.mintDecimals),
  amount,
});

/** An amount of collateral tokens. */
export const collateralAmount = (
  { reserve: { collateral } }: QueueAccounts,
  amount: bigint,
): PreviewAmount => ({
  mint: collateral.mintPubkey,
  decimals: COLLATERAL_DECIMALS,
  amount,
});
