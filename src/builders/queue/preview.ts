import type { Rational } from '@sluice/protocol/numeric/rational';
import { WRAPPED_SOL_MINT } from '@sluice/protocol/program-ids';
import type { AccruedReserve } from '../../domain/accrued-reserve.ts';
import type { Moment } from '../../domain/moment.ts';
import { borrowApy, supplyApy } from '../../domain/rates.ts';
import { refreshReserve } from '../../domain/refreshed-reserve.ts';
import type { Amount } from '../amount.ts';
import type { BuiltAction } from '../built-instruction.ts';
import { refreshedAccount } from '../lending/effects.ts';
import { lendingPreview } from '../lending/preview.ts';
import { change, NO_FIGURES, type Preview } from '../preview.ts';
import { SOL_DECIMALS } from '../token-instructions.ts';
import { queueState, type TicketAccounts } from './accounts.ts';
import { type CancelOutcome, cancelWarnings } from './cancel.ts';
import type { NewTicket } from './enqueue.ts';
import type { EnqueueAccounts } from './enqueue-accounts.ts';
import { type EnqueueOutcome, enqueueWarnings, totalRent } from './enqueue-outcome.ts';
import { type PayOutcome, payWarnings } from './pay.ts';
import { recoverWarnings } from './recover.ts';
import { collateralAmount, liquidityAmount, ticketFigures } from './ticket-figures.ts';

/** Effect of an entry into the queue: the new ticket, and the obligation that the collateral came from. */
export function enqueuePreview(
  accounts: EnqueueAccounts,
  ticket: NewTicket,
  outcome: EnqueueOutcome,
  moment: Moment,
): Preview {
  const { position, liquidity } = accounts;
  const warnings = enqueueWarnings(accounts, ticket, outcome, moment);
  const figures =
    position && outcome.position
      ? // The reserve itself keeps its liquidity and its rates.
        { ...lendingPreview(position, outcome.position, moment, warnings), ...NO_RESERVE_FIGURES }
      : NO_FIGURES;
  const rent = { mint: WRAPPED_SOL_MINT, decimals: SOL_DECIMALS, amount: totalRent(outcome.rent) };
  const { address, number, collateral } = ticket;
  return {
    ...figures,
    warnings,
    queue: ticketFigures(
      accounts,
      outcome.state,
      {
        address,
        number,
        destination: liquidity.address,
        before: 0n,
        after: collateral,
        state: 'QUEUED',
      },
      { rent },
    ),
  };
}

const NO_RESERVE_FIGURES = { supplyApy: null, borrowApy: null, utilization: null } as const;

/** Effect of the turn of a ticket: its payment, and the rates of the reserve. */
export function payPreview(
  accounts: TicketAccounts,
  outcome: PayOutcome,
  built: BuiltAction,
  moment: Moment,
): Preview {
  const { ticket, market } = accounts;
  const { state, turn } = outcome;
  const { payment } = turn;
  const warnings = payWarnings(accounts, outcome, built);
  const held = ticket.queuedCollateralAmount;
  const isInvalid = turn.result === 'INVALID';
  const queue = ticketFigures(
    accounts,
    state,
    {
      ...ticketOf(accounts),
      after: isInvalid ? held : (payment?.left ?? 0n),
      state: isInvalid ? 'INVALID' : payment !== null && payment.left !== 0n ? 'QUEUED' : null,
    },
    { paid: payment && liquidityAmount(accounts, payment.liquidity) },
  );
  if (payment === null) return { ...NO_FIGURES, queue, warnings };
  const paid = refreshedAccount(state.accrued, {
    available: -payment.liquidity,
    collateral: -payment.burned,
  });
  const after = refreshReserve(paid, moment, market);
  const figure = (value: (side: AccruedReserve) => Rational) => change(state.accrued, after, value);
  return {
    ...NO_FIGURES,
    supplyApy: figure((side) => supplyApy(side, moment)),
    borrowApy: figure((side) => borrowApy(side, moment)),
    utilization: figure(({ utilization }) => utilization),
    queue,
    warnings,
  };
}

/** Effect of a cancellation on the ticket. */
export function cancelPreview(accounts: TicketAccounts, outcome: CancelOutcome, asked: Amount): Preview {
  const { state, returned, left } = outcome;
  const { invalid } = accounts.ticket;
  return {
    ...NO_FIGURES,
    warnings: cancelWarnings(accounts, outcome, asked),
    queue: ticketFigures(
      accounts,
      state,
      {
        ...ticketOf(accounts),
        after: left,
        state: invalid !== 0 ? 'INVALID' : left === 0n ? 'CANCELLED' : 'QUEUED',
      },
      { returned: collateralAmount(accounts, returned) },
    ),
  };
}

/** Effect of a recovery, which closes the ticket. */
export function recoverPreview(accounts: TicketAccounts, moment: Moment): Preview {
  const { queuedCollateralAmount } = accounts.ticket;
  return {
    ...NO_FIGURES,
    warnings: recoverWarnings(accounts),
    queue: ticketFigures(
      accounts,
      queueState(accounts, moment),
      { ...ticketOf(accounts), after: 0n, state: null },
      { returned: collateralAmount(accounts, queuedCollateralAmount) },
    ),
  };
}

const ticketOf = ({ ticketAddress, ticket }: TicketAccounts) => ({
  address: ticketAddress,
  number: ticket.sequenceNumber,
  destination: ticket.userDestinationLiquidityTa,
  before: ticket.queuedCollateralAmount,
});
