import { FULL_BPS, WAD } from '../numeric/fraction.ts';
import { lesser } from '../numeric/integer.ts';
import type { FarmState } from '../programs/farms/farm-state.ts';
import type { UserState } from '../programs/farms/user-state.ts';
import type { Moment } from './moment.ts';
import { farmTime } from './reward-schedule.ts';

/**
 * A stake in a farm that holds tokens, with the program's rounding. The farm has two pools: active tokens earn rewards,
 * pending ones wait for a warm-up or a cooldown to end. Shares of a pool are scaled by 10^18.
 */
export interface StakePools {
  readonly active: Pool;
  readonly pending: Pool;
  /** Shares of the active pool that belong to the stake. */
  readonly staked: bigint;
  /** Shares of the pending pool that will become active. */
  readonly entering: bigint;
  /** Shares of the pending pool that have left the active pool. */
  readonly leaving: bigint;
}

interface Pool {
  readonly shares: bigint;
  /** Base units of the token. */
  readonly amount: bigint;
}

/** @param user null before the first stake. */
export function stakePools(farm: FarmState, user: UserState | null): StakePools {
  return {
    active: { shares: farm.totalActiveStakeScaled, amount: farm.totalStakedAmount },
    pending: { shares: farm.totalPendingStakeScaled, amount: farm.totalPendingAmount },
    staked: user?.activeStakeScaled ?? 0n,
    entering: user?.pendingDepositStakeScaled ?? 0n,
    leaving: user?.pendingWithdrawalUnstakeScaled ?? 0n,
  };
}

/** The shares that an amount gets, rounded down. The first deposit of a pool gets one share per base unit. */
function sharesFor({ shares, amount }: Pool, added: bigint): bigint {
  if (shares === 0n || amount === 0n) return added * WAD;
  return (shares * added) / amount;
}

/** The base units behind shares, rounded down. */
function amountBehind(pool: Pool, shares: bigint): bigint {
  if (shares === 0n || pool.shares === 0n) return 0n;
  return (shares * pool.amount) / pool.shares;
}

const grown = (pool: Pool, shares: bigint, amount: bigint): Pool => ({
  shares: pool.shares + shares,
  amount: pool.amount + amount,
});

function enterActive(pools: StakePools, amount: bigint): StakePools {
  const shares = sharesFor(pools.active, amount);
  return { ...pools, active: grown(pools.active, shares, amount), staked: pools.staked + shares };
}

/** The pools once a deposit whose warm-up is over has become active. */
function activated(pools: StakePools): StakePools {
  const amount = amountBehind(pools.pending, pools.entering);
  const pending = grown(pools.pending, -pools.entering, -amount);
  return enterActive({ ...pools, pending, entering: 0n }, amount);
}

/** The pools after a deposit of base units. A deposit that was warming up becomes active first if its time has come. */
export function afterStake(
  farm: FarmState,
  user: UserState | null,
  amount: bigint,
  moment: Moment,
): StakePools {
  const before = stakePools(farm, user);
  const isDue = user !== null && user.pendingDepositStakeTs <= farmTime(farm, moment);
  const pools = isDue ? activated(before) : before;
  if (farm.depositWarmupPeriod === 0) return enterActive(pools, amount);
  const shares = sharesFor(pools.pending, amount);
  return { ...pools, pending: grown(pools.pending, shares, amount), entering: pools.entering + shares };
}

/** The result of ending a part of a stake. */
export interface Unstaked {
  readonly pools: StakePools;
  /** Base units that left the active pool. */
  readonly amount: bigint;
  /** Base units of them that the farm keeps because the stake is still locked. */
  readonly penalty: bigint;
}

/** Ends a part of a stake, or all of it if `shares` exceeds it. @param shares of the active pool, scaled by 10^18. */
export function afterUnstake(pools: StakePools, shares: bigint, penaltyBps: bigint): Unstaked {
  const ended = lesser(shares, pools.staked);
  const amount = amountBehind(pools.active, ended);
  const penalty = (amount * penaltyBps) / FULL_BPS;
  const left = sharesFor(pools.pending, amount - penalty);
  return {
    pools: {
      ...pools,
      active: grown(pools.active, -ended, -amount),
      pending: grown(pools.pending, left, amount - penalty),
      staked: pools.staked - ended,
      leaving: pools.leaving + left,
    },
    amount,
    penalty,
  };
}

/** Pays out everything that has left the active pool. */
export function afterWithdrawal(pools: StakePools): { readonly pools: StakePools; readonly paid: bigint } {
  const paid = amountBehind(pools.pending, pools.leaving);
  return { pools: { ...pools, pending: grown(pools.pending, -pools.leaving, -paid), leaving: 0n }, paid };
}

/** Each stake is locked for the duration from its last deposit on. */
const LOCKED_SINCE_STAKE = 1n;

/**
 * Part of a stake that its farm keeps when it is ended now, in basis points: it falls to 0 over the locking period. Null
 * when the farm does not release it yet.
 */
export function unstakePenaltyBps(farm: FarmState, user: UserState, moment: Moment): bigint | null {
  const { lockingMode, lockingStartTimestamp, lockingDuration, lockingEarlyWithdrawalPenaltyBps } = farm;
  if (lockingMode === 0n) return 0n;
  const start = lockingMode === LOCKED_SINCE_STAKE ? user.lastStakeTs : lockingStartTimestamp;
  const [now, end] = [farmTime(farm, moment), start + lockingDuration];
  if (now < start || now >= end) return 0n;
  const isReleased = lockingEarlyWithdrawalPenaltyBps > 0n && lockingEarlyWithdrawalPenaltyBps < FULL_BPS;
  return isReleased ? (lockingEarlyWithdrawalPenaltyBps * (end - now)) / lockingDuration : null;
}
