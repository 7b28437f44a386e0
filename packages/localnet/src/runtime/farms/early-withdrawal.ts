import { FULL_BPS } from '@sluice/protocol/numeric/fraction';
import { aborted, ensure } from '../anchor.ts';
import { FARM } from './farm-errors.ts';
import type { FarmModel } from './farm-model.ts';
import type { UserModel } from './user-model.ts';

const NOT_LOCKED = 0n;
/** Each stake is locked for the duration from its last deposit on. */
const LOCKED_SINCE_STAKE = 1n;
/** All stakes are locked from the farm's start time on. */
const LOCKED_UNTIL_EXPIRY = 2n;

/** Penalty of a withdrawal before maturity, in base units. */
export function earlyWithdrawalPenalty(
  { state }: FarmModel,
  user: UserModel,
  amount: bigint,
  ts: bigint,
): bigint {
  const { lockingMode, lockingStartTimestamp, lockingDuration, lockingEarlyWithdrawalPenaltyBps } = state;
  if (lockingMode > LOCKED_UNTIL_EXPIRY) throw aborted();
  if (lockingMode === NOT_LOCKED) return 0n;
  const start = lockingMode === LOCKED_SINCE_STAKE ? user.lastStakeTs : lockingStartTimestamp;
  const bps = penaltyBps(start, lockingDuration, lockingEarlyWithdrawalPenaltyBps, ts);
  return (amount * bps) / FULL_BPS;
}

/** Falls from the full penalty to zero over the locking period, rounded down to a basis point. */
function penaltyBps(start: bigint, duration: bigint, fullBps: bigint, ts: bigint): bigint {
  const maturity = start + duration;
  if (ts < start || ts >= maturity) return 0n;
  ensure(fullBps <= FULL_BPS, FARM.invalidPenaltyPercentage);
  // Both ends of the range stand for "no early withdrawal".
  ensure(fullBps !== 0n && fullBps !== FULL_BPS, FARM.earlyWithdrawalNotAllowed);
  return (fullBps * (maturity - ts)) / duration;
}
