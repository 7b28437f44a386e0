import type { FarmState } from '@sluice/protocol/farms/farm-state';
import type { UserState } from '@sluice/protocol/farms/user-state';
import { FULL_BPS, WAD } from '@sluice/protocol/numeric/fraction';
import { lesser } from '@sluice/protocol/numeric/integer';
import { ONE, type Rational } from '@sluice/protocol/numeric/rational';
import type { Moment } from './moment.ts';
import { farmTime } from './reward-schedule.ts';
import {
  creditedRewards,
  restartedRewards,
  type StakeRewards,
  withAddedShares,
  withDelegatedStake,
  withoutShares,
} from './stake-rewards.ts';

/**
 * A stake and its farm at one moment, with the program's rounding. The farm has two pools: active tokens earn rewards,
 * pending ones wait for a warm-up or a cooldown to end. Shares of a pool are scaled by 10^18, except in a delegated farm.
 * Times are in the farm's unit.
 */
export interface FarmStake {
  readonly farm: FarmState;
  readonly now: bigint;
  readonly active: Pool;
  readonly pending: Pool;
  /** Shares of the active pool that belong to the stake. */
  readonly staked: bigint;
  /** Shares of the pending pool that will become active, and when they may. */
  readonly entering: bigint;
  readonly enteringUntil: bigint;
  /** Shares of the pending pool that have left the active pool, and when they can be withdrawn. */
  readonly leaving: bigint;
  readonly leavingUntil: bigint;
  readonly lastStakeTs: bigint;
  /** Up to date: issued and credited until now. */
  readonly rewards: StakeRewards;
}

interface Pool {
  readonly shares: bigint;
  /** Base units of the token. */
  readonly amount: bigint;
}

/**
 * @param user null before the first stake.
 * @param oracleRate what a farm with an oracle multiplies its rewards by.
 */
export function farmStakeAt(
  farm: FarmState,
  user: UserState | null,
  moment: Moment,
  oracleRate: Rational = ONE,
): FarmStake {
  return {
    farm,
    now: farmTime(farm, moment),
    active: { shares: farm.totalActiveStakeScaled, amount: farm.totalStakedAmount },
    pending: { shares: farm.totalPendingStakeScaled, amount: farm.totalPendingAmount },
    staked: user?.activeStakeScaled ?? 0n,
    entering: user?.pendingDepositStakeScaled ?? 0n,
    enteringUntil: user?.pendingDepositStakeTs ?? 0n,
    leaving: user?.pendingWithdrawalUnstakeScaled ?? 0n,
    leavingUntil: user?.pendingWithdrawalUnstakeTs ?? 0n,
    lastStakeTs: user?.lastStakeTs ?? 0n,
    rewards: creditedRewards(farm, user, moment, oracleRate),
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

function enterActive(stake: FarmStake, amount: bigint): FarmStake {
  const shares = sharesFor(stake.active, amount);
  return {
    ...stake,
    active: grown(stake.active, shares, amount),
    staked: stake.staked + shares,
    rewards: withAddedShares(stake.rewards, shares),
  };
}

/** Whether a deposit has warmed up and only waits for an instruction that makes it active. */
export const isWarmedUp = ({ entering, enteringUntil, now }: FarmStake): boolean =>
  entering > 0n && enteringUntil <= now;

/** Whether unstaked tokens have cooled down and can be withdrawn. */
export const isCooledDown = ({ leaving, leavingUntil, now }: FarmStake): boolean =>
  leaving > 0n && leavingUntil <= now;

/** After a deposit that has warmed up became active. */
export function afterActivation(before: FarmStake): FarmStake {
  const rewards = before.active.amount === 0n ? restartedRewards(before.rewards, before.now) : before.rewards;
  const stake = { ...before, rewards };
  if (!isWarmedUp(stake)) return stake;
  const amount = amountBehind(stake.pending, stake.entering);
  const pending = grown(stake.pending, -stake.entering, -amount);
  return enterActive({ ...stake, pending, entering: 0n }, amount);
}

/** After a deposit of base units. A deposit that has warmed up becomes active first. */
export function afterStake(before: FarmStake, amount: bigint): FarmStake {
  const { depositWarmupPeriod } = before.farm;
  const stake = { ...afterActivation(before), lastStakeTs: before.now };
  if (depositWarmupPeriod === 0) return enterActive(stake, amount);
  const shares = sharesFor(stake.pending, amount);
  return {
    ...stake,
    pending: grown(stake.pending, shares, amount),
    entering: stake.entering + shares,
    // A further deposit restarts the warm-up of one that is still pending.
    enteringUntil: stake.now + BigInt(depositWarmupPeriod),
  };
}

/** The result of ending a part of a stake. */
export interface Unstaked {
  readonly stake: FarmStake;
  /** Base units that the farm keeps because the stake is still locked. */
  readonly penalty: bigint;
}

/** Ends a part of a stake, or all of it if `shares` exceeds it. @param shares of the active pool, scaled by 10^18. */
export function afterUnstake(before: FarmStake, shares: bigint): Unstaked {
  const ended = lesser(shares, before.staked);
  const amount = amountBehind(before.active, ended);
  const penalty = (amount * (unstakePenaltyBps(before) ?? 0n)) / FULL_BPS;
  const left = sharesFor(before.pending, amount - penalty);
  return {
    stake: {
      ...before,
      active: grown(before.active, -ended, -amount),
      pending: grown(before.pending, left, amount - penalty),
      staked: before.staked - ended,
      leaving: before.leaving + left,
      // Tokens that are still cooling down wait again.
      leavingUntil: before.now + BigInt(before.farm.withdrawalCooldownPeriod),
      rewards: withoutShares(before.rewards, ended),
    },
    penalty,
  };
}

/** Pays out everything that has left the active pool. */
export function afterWithdrawal(before: FarmStake): { readonly stake: FarmStake; readonly paid: bigint } {
  const paid = amountBehind(before.pending, before.leaving);
  const pending = grown(before.pending, -before.leaving, -paid);
  return { stake: { ...before, pending, leaving: 0n }, paid };
}

/** After a lending market has set the stake of an obligation in a delegated farm. */
export function afterDelegation(before: FarmStake, staked: bigint): FarmStake {
  const added = staked - before.staked;
  if (added === 0n) return before;
  const restarts = added > 0n && before.active.amount === 0n;
  const rewards = restarts ? restartedRewards(before.rewards, before.now) : before.rewards;
  return {
    ...before,
    active: grown(before.active, added, added),
    staked,
    lastStakeTs: added > 0n ? before.now : before.lastStakeTs,
    rewards: withDelegatedStake(rewards, staked),
  };
}

/** Each stake is locked for the duration from its last deposit on. */
const LOCKED_SINCE_STAKE = 1n;

/**
 * Part of a stake that its farm keeps when it is ended now, in basis points: it falls to 0 over the locking period. Null
 * when the farm does not release it yet.
 */
export function unstakePenaltyBps({ farm, lastStakeTs, now }: FarmStake): bigint | null {
  const { lockingMode, lockingStartTimestamp, lockingDuration, lockingEarlyWithdrawalPenaltyBps } = farm;
  if (lockingMode === 0n) return 0n;
  const start = lockingMode === LOCKED_SINCE_STAKE ? lastStakeTs : lockingStartTimestamp;
  const end = start + lockingDuration;
  if (now < start || now >= end) return 0n;
  const isReleased = lockingEarlyWithdrawalPenaltyBps > 0n && lockingEarlyWithdrawalPenaltyBps < FULL_BPS;
  return isReleased ? (lockingEarlyWithdrawalPenaltyBps * (end - now)) / lockingDuration : null;
}
