import type { BorrowState } from './obligation-slots.ts';
import type { ReserveState } from './reserve-state.ts';

/** Whether a debt of a fixed-term reserve has reached the end of its term. `timestamp` is in unix seconds. */
export function isTermOver(reserve: ReserveState, borrow: BorrowState, timestamp: bigint): boolean {
  return secondsSinceTerm(reserve, borrow, timestamp) !== null;
}

/** Seconds since the end of the term of a debt; null before it, and for a debt without one. */
export function secondsSinceTerm(
  { config }: ReserveState,
  borrow: BorrowState,
  timestamp: bigint,
): bigint | null {
  const { debtTermSeconds } = config;
  if (debtTermSeconds === 0n || borrow.lastBorrowedAt === 0n) return null;
  return secondsSince(borrow.lastBorrowedAt + debtTermSeconds, timestamp);
}

/** Seconds since a reserve has matured; null before that, and for a reserve without a maturity. */
export function secondsSinceMaturity({ config }: ReserveState, timestamp: bigint): bigint | null {
  const { debtMaturityTimestamp } = config;
  return debtMaturityTimestamp === 0n ? null : secondsSince(debtMaturityTimestamp, timestamp);
}

const secondsSince = (end: bigint, timestamp: bigint) => (timestamp < end ? null : timestamp - end);
