import { U64_MAX } from '@sluice/protocol/numeric/fraction';
import { aborted, ensure } from '../anchor.ts';
import { FARM } from './farm-errors.ts';
import type { FarmModel } from './farm-model.ts';
import { adjustedByOracle, type ScopePrice } from './scope-price.ts';
import type { UserModel } from './user-model.ts';
import { wadOf, wholeOf } from './wad-decimal.ts';

/** Shares of the active pool earn rewards; shares of the pending pool wait for a warm-up or a cooldown to end. */

export function checkDepositCap(farm: FarmModel, amount: bigint, price: ScopePrice | null, ts: bigint): void {
  const total = farm.totalStakedAmount + amount;
  if (total > U64_MAX) throw aborted();
  const cap = farm.state.depositCapAmount;
  const adjusted = adjustedByOracle(farm, total, price, ts);
  ensure(cap === 0n || adjusted <= cap, FARM.depositCapReached);
}

/** The shares that a deposit gets, rounded down. The first deposit gets one share per unit. */
function sharesFor(amount: bigint, totalShares: bigint, totalAmount: bigint): bigint {
  if (amount === 0n) return 0n;
  if (totalShares === 0n) return wadOf(amount);
  // Shares of a pool that has lost all its tokens have no price.
  if (totalAmount === 0n) throw aborted();
  return (totalShares * amount) / totalAmount;
}

/** The tokens behind shares, rounded down to whole units. */
function amountOf(shares: bigint, totalShares: bigint, totalAmount: bigint): bigint {
  if (shares === 0n) return 0n;
  const amount = totalShares === 0n ? totalAmount : wholeOf((shares * wadOf(totalAmount)) / totalShares);
  if (amount === null) throw aborted();
  return amount;
}

function addPending(farm: FarmModel, amount: bigint): bigint {
  const shares = sharesFor(amount, farm.totalPendingStakeScaled, farm.totalPendingAmount);
  farm.totalPendingAmount += amount;
  farm.totalPendingStakeScaled += shares;
  return shares;
}

function removePending(farm: FarmModel, shares: bigint): bigint {
  const amount = amountOf(shares, farm.totalPendingStakeScaled, farm.totalPendingAmount);
  farm.totalPendingAmount -= amount;
  farm.totalPendingStakeScaled -= shares;
  return amount;
}

export function addPendingDeposit(farm: FarmModel, user: UserModel, amount: bigint): void {
  user.pendingDepositStakeScaled += addPending(farm, amount);
}

/** Returns the shares gained. */
export function addActive(farm: FarmModel, user: UserModel, amount: bigint): bigint {
  const shares = sharesFor(amount, farm.totalActiveStakeScaled, farm.totalStakedAmount);
  user.activeStakeScaled += shares;
  farm.totalStakedAmount += amount;
  farm.totalActiveStakeScaled += shares;
  return shares;
}

/** Makes a deposit active whose warm-up is over. Returns the active shares gained. */
export function activatePendingDeposit(farm: FarmModel, user: UserModel): bigint {
  const amount = removePending(farm, user.pendingDepositStakeScaled);
  user.pendingDepositStakeScaled = 0n;
  return addActive(farm, user, amount);
}

/** Returns the tokens behind the removed shares. */
export function removeActive(farm: FarmModel, user: UserModel, shares: bigint): bigint {
  const amount = amountOf(shares, farm.totalActiveStakeScaled, farm.totalStakedAmount);
  user.activeStakeScaled -= shares;
  farm.totalStakedAmount -= amount;
  farm.totalActiveStakeScaled -= shares;
  return amount;
}

export function addPendingWithdrawal(farm: FarmModel, user: UserModel, amount: bigint): void {
  user.pendingWithdrawalUnstakeScaled += addPending(farm, amount);
}

/** Returns the tokens to pay out. */
export function removePendingWithdrawal(farm: FarmModel, user: UserModel): bigint {
  const amount = removePending(farm, user.pendingWithdrawalUnstakeScaled);
  user.pendingWithdrawalUnstakeScaled = 0n;
  return amount;
}
