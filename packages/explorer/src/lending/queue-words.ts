import type { QueueBlock, TicketEstimate, TicketState } from './queue-documents.ts';

/** Why the program rejects an action on a queue. */
export const BLOCK_WORDS: Readonly<Record<QueueBlock, string>> = {
  DISABLED: 'the market does not allow it',
  MARKET_EMERGENCY: 'the market is in emergency mode',
  MARKET_UNKNOWN: 'the market cannot be read',
  RESERVE_EMERGENCY: 'the reserve is in emergency mode',
  RESERVE_OBSOLETE: 'the reserve is obsolete',
};

export const TICKET_WORDS: Readonly<Record<TicketState, string>> = {
  QUEUED: 'Waiting',
  CANCELLED: 'Cancelled',
  INVALID: 'Could not be paid',
};

/** Short words for tickets without an estimate, and the reason. */
export const ESTIMATE_WORDS: Readonly<
  Record<Exclude<TicketEstimate['state'], 'ESTIMATED'>, { readonly name: string; readonly why: string }>
> = {
  PAYABLE_NOW: { name: 'Payable now', why: 'There is enough liquidity. Anybody may send the payment.' },
  OUTFLOW_CAP: {
    name: 'Capped',
    why: 'There is enough liquidity, but the withdrawal cap of the reserve leaves too little in this interval.',
  },
  NOT_WAITING: { name: 'Nothing waits', why: 'It was cancelled, or its turn is over.' },
  PAYMENTS_BLOCKED: { name: 'Payments are stopped', why: 'The market or the reserve pays no ticket now.' },
  PLACE_UNKNOWN: { name: 'Unknown', why: 'The reserve, or a ticket before it, cannot be read.' },
  HISTORY_UNAVAILABLE: { name: 'No estimate', why: 'There is no recorded history to estimate from.' },
  HISTORY_TOO_SHORT: {
    name: 'No estimate',
    why: 'Less than a day is recorded since nothing is free in the reserve.',
  },
  NO_INFLOW: {
    name: 'No inflow',
    why: 'No liquidity came into the reserve since nothing is free in it, as far as recorded hours show.',
  },
  TOO_FAR: { name: 'Over 90 days', why: 'At the pace of the last days it takes more than 90 days.' },
};
