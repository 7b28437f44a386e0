import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { customError } from '../instruction-error.ts';
import { LENDING } from './lending-errors.ts';
import type { WithdrawalCapState } from './reserve-state.ts';

const I64_MAX = (1n << 63n) - 1n;
const I64_MIN = -I64_MAX - 1n;

/** Counts an outflow, and refuses it when it exceeds what is left of the interval. `timestamp` is in unix seconds. */
export function addOutflow(cap: WithdrawalCapState, amount: bigint, timestamp: bigint): void {
  startInterval(cap, timestamp);
  if (cap.intervalSeconds !== 0n && amount > remainingInInterval(cap)) {
    throw customError(LENDING.withdrawalCapReached);
  }
  count(cap, amount, 1n);
}

/** Counts an inflow, which makes room for outflows. */
export function subtractInflow(cap: WithdrawalCapState, amount: bigint, timestamp: bigint): void {
  startInterval(cap, timestamp);
  count(cap, amount, -1n);
}

function startInterval(cap: WithdrawalCapState, timestamp: bigint): void {
  if (cap.intervalSeconds === 0n) return;
  if (cap.intervalStart > timestamp) throw customError(LENDING.lastTimestampGreaterThanCurrent);
  if (timestamp - cap.intervalStart < cap.intervalSeconds) return;
  cap.currentTotal = 0n;
  cap.intervalStart = timestamp;
}

/** Outflow that is left at a time, without a change of the counters; the maximum u64 without a cap. */
export function remainingOutflow(cap: WithdrawalCapState, timestamp: bigint): bigint {
  if (cap.intervalSeconds === 0n) return U64_MAX;
  const isOver = timestamp - cap.intervalStart >= cap.intervalSeconds;
  return remainingInInterval({ capacity: cap.capacity, currentTotal: isOver ? 0n : cap.currentTotal });
}

function remainingInInterval({
  capacity,
  currentTotal,
}: Pick<WithdrawalCapState, 'capacity' | 'currentTotal'>): bigint {
  return capacity < 0n || currentTotal > capacity ? 0n : capacity - currentTotal;
}

/** Overflows saturate while the cap is disabled and fail otherwise. */
function count(cap: WithdrawalCapState, amount: bigint, sign: 1n | -1n): void {
  const isEnabled = cap.intervalSeconds !== 0n;
  if (amount > I64_MAX) {
    throw customError(isEnabled ? LENDING.integerOverflow : LENDING.mathOverflow);
  }
  const total = cap.currentTotal + sign * amount;
  if (isEnabled && (total > I64_MAX || total < I64_MIN)) throw customError(LENDING.mathOverflow);
  cap.currentTotal = total > I64_MAX ? I64_MAX : total < I64_MIN ? I64_MIN : total;
}
