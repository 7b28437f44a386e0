import { integer, type Rational, ZERO } from '@sluice/protocol/numeric/rational';
import { positivePart, total } from './arithmetic.ts';

/** When a ticket of a withdraw queue is paid, if liquidity keeps coming in as it was recorded. */

const HOUR = 3_600n;
const DAY = 86_400n;
/** A shorter record says little about the days to come. */
const LEAST_RECORDED_SECONDS = DAY;
/** A time further away says nothing: a week of records does not last that long. */
const FURTHEST_DAYS = 90n;

/** A whole hour in the history of a reserve. Amounts are whole tokens; means over the hour, unless they say otherwise. */
export interface RecordedHour {
  /** Unix seconds. */
  readonly start: bigint;
  readonly supplied: Rational;
  readonly borrowed: Rational;
  /** At the end of the hour. So are `collateralSupply` and `exchangeRate`. */
  readonly protocolFees: Rational;
  /** Available beyond the queue. */
  readonly free: Rational;
  readonly collateralSupply: Rational;
  /** Collateral tokens per token. */
  readonly exchangeRate: Rational;
}

/** Liquidity that came into a reserve over a part of its history, in whole tokens. */
export interface RecordedInflow {
  /** Unix seconds: start of the first hour, end of the last one. */
  readonly from: bigint;
  readonly until: bigint;
  /** Negative when more went out. */
  readonly perDay: Rational;
}

/**
 * Mean inflow per day since nothing is free any more: what was lent or withdrawn before cannot be now. It is the change of the
 * available liquidity, and what left, which only the queue can be paid. Less than the truth where deposits paid the queue
 * within an hour: what they mint and what the queue burns cancel out. Null for less than a day.
 * @param hours ascending, possibly with gaps
 */
export function recordedInflow(hours: readonly RecordedHour[]): RecordedInflow | null {
  const claimed = hours.slice(hours.findLastIndex(({ free }) => !free.isZero) + 1);
  const [first, beforeLast, last] = [claimed[0], claimed.at(-2), claimed.at(-1)];
  if (first === undefined || beforeLast === undefined || last === undefined) return null;
  const seconds = last.start - first.start;
  if (seconds < LEAST_RECORDED_SECONDS) return null;
  // The mean of the fees is not recorded. In the last hour it is at least what they were before.
  const fees = last.protocolFees.min(beforeLast.protocolFees);
  const change = suppliersPart(last).add(fees).sub(suppliersPart(first).add(first.protocolFees));
  const paid = total(claimed.slice(1).map((hour, i) => paidIn(hour, claimed[i])));
  const perDay = change.add(paid).mul(integer(DAY)).div(integer(seconds));
  return { from: first.start, until: last.start + HOUR, perDay };
}

/** Available liquidity less the fees in it. */
const suppliersPart = ({ supplied, borrowed }: RecordedHour): Rational => supplied.sub(borrowed);

/** Tokens paid for collateral tokens in an hour in which suppliers could withdraw nothing. */
function paidIn(hour: RecordedHour, before: RecordedHour | undefined): Rational {
  if (before === undefined || hour.start - before.start !== HOUR || before.exchangeRate.isZero) return ZERO;
  return positivePart(before.collateralSupply.sub(hour.collateralSupply)).div(before.exchangeRate);
}

export type EstimateState =
  | 'ESTIMATED'
  | 'PAYABLE_NOW'
  | 'OUTFLOW_CAP'
  | 'NOT_WAITING'
  | 'PAYMENTS_BLOCKED'
  | 'PLACE_UNKNOWN'
  | 'HISTORY_UNAVAILABLE'
  | 'HISTORY_TOO_SHORT'
  | 'NO_INFLOW'
  | 'TOO_FAR';

export interface WaitingTicket {
  readonly isWaiting: boolean;
  readonly isPaymentBlocked: boolean;
  /** Whole tokens that must still come in before it is paid in full; null when its place is unknown. */
  readonly missing: Rational | null;
  /** Whether the outflow cap of the reserve rejects the payment now. */
  readonly isCapped: boolean;
  /** Null for a record that is too short, undefined for one that cannot be read. */
  readonly inflow: RecordedInflow | null | undefined;
}

/** Why there is no estimate, or the time until the ticket is paid in full. */
export type TicketEstimate =
  | { readonly state: Exclude<EstimateState, 'ESTIMATED'>; readonly seconds: null }
  | { readonly state: 'ESTIMATED'; readonly seconds: bigint };

/** The time in which as much comes in as is missing, at the recorded pace. */
export function estimateTicket(ticket: WaitingTicket): TicketEstimate {
  const { isWaiting, isPaymentBlocked, missing, isCapped, inflow } = ticket;
  if (!isWaiting) return without('NOT_WAITING');
  if (isPaymentBlocked) return without('PAYMENTS_BLOCKED');
  if (missing === null) return without('PLACE_UNKNOWN');
  if (missing.isZero) return without(isCapped ? 'OUTFLOW_CAP' : 'PAYABLE_NOW');
  if (inflow === undefined) return without('HISTORY_UNAVAILABLE');
  if (inflow === null) return without('HISTORY_TOO_SHORT');
  if (inflow.perDay.isZero || inflow.perDay.isNegative) return without('NO_INFLOW');
  const days = missing.div(inflow.perDay);
  if (days.compare(integer(FURTHEST_DAYS)) > 0) return without('TOO_FAR');
  return { state: 'ESTIMATED', seconds: days.mul(integer(DAY)).ceil() };
}

const without = (state: Exclude<EstimateState, 'ESTIMATED'>): TicketEstimate => ({ state, seconds: null });
