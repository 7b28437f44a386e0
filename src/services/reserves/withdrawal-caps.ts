import type { View } from '../../chain/view/view.ts';
import { safeDate } from '../../domain/dates.ts';
import { perView } from '../request/per-view.ts';
import type { ReserveRecord } from '../request/records.ts';
import type { TokenAmount } from '../tokens/amounts.ts';
import { reserveAmount } from './reserves.ts';

/** A limit on the net outflow of a reserve in an interval, as the account stores it. */
export interface WithdrawalCap {
  readonly capacity: TokenAmount;
  /** Negative after a net inflow. The interval that follows begins at zero. */
  readonly currentTotal: TokenAmount;
  /** Seconds; 0 turns the limit off. */
  readonly intervalSeconds: bigint;
  readonly intervalStartedAt: Date;
}

export interface WithdrawalCaps {
  /** On withdrawals of deposits. */
  readonly deposit: WithdrawalCap;
  /** On borrows. */
  readonly debt: WithdrawalCap;
}

type StoredCap = ReserveRecord['value']['config']['depositWithdrawalCap'];

/** The limits of a reserve on withdrawing and borrowing per interval. */
export const withdrawalCaps = perView((view: View, reserve: ReserveRecord): WithdrawalCaps => {
  const capOf = (cap: StoredCap): WithdrawalCap => ({
    capacity: reserveAmount(view, reserve, cap.configCapacity),
    currentTotal: reserveAmount(view, reserve, cap.currentTotal),
    intervalSeconds: cap.configIntervalLengthSeconds,
    intervalStartedAt: safeDate(cap.lastIntervalStartTimestamp),
  });
  const { depositWithdrawalCap, debtWithdrawalCap } = reserve.value.config;
  return { deposit: capOf(depositWithdrawalCap), debt: capOf(debtWithdrawalCap) };
});
