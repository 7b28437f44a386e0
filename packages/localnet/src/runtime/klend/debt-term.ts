import type { BorrowState } from './obligation-slots.ts';
import type { ReserveState } from './reserve-state.ts';

/** Whether a debt of a fixed-term reserve has reached the end of its term. `timestamp` is in unix seconds. */
export function isTermOver({ config }: ReserveState, borrow: BorrowState, timestamp: bigint): boolean {
  const { debtTermSeconds } = config;
  if (debtTermSeconds === 0n || borrow.lastBorrowedAt === 0n) return false;
  return timestamp >= borrow.lastBorrowedAt + debtTermSeconds;
}
